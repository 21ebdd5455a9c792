import { toQrModules } from './qr-code.ts'
import { toQrPng } from './qr-png.ts'
import { toQrSvg } from './qr-svg.ts'

export interface QrImage {
  type: 'image/png' | 'image/svg+xml'
  bytes: Buffer
}

export function drawQr(link: string, format: 'png' | 'svg', size: number): QrImage {
  const modules = toQrModules(link)
  return format === 'svg'
    ? { type: 'image/svg+xml', bytes: Buffer.from(toQrSvg(modules, size)) }
    : { type: 'image/png', bytes: toQrPng(modules, size) }
}
