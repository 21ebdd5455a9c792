// Draws a QR code as SVG. Each module (a square of the code) is one unit wide, and all dark modules are one path.
import type { QrModules } from './qr-code.ts'
import { toLayout } from './qr-code.ts'

function toPath(modules: QrModules): string {
  let path = ''
  for (const [y, row] of modules.entries()) {
    for (let x = row.indexOf(true); x >= 0; x = row.indexOf(true, x)) {
      const light = row.indexOf(false, x)
      const length = (light < 0 ? row.length : light) - x
      path += `M${x} ${y}h${length}v1h-${length}z`
      x += length
    }
  }
  return path
}

export function toQrSvg(modules: QrModules, sizePx: number): string {
  // Throws if a module would be smaller than a pixel, because such an SVG could be drawn but not scanned.
  toLayout(modules, sizePx)
  const side = modules.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 ${side} ${side}"`,
    ` shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${toPath(modules)}"/></svg>`,
  ].join('')
}
