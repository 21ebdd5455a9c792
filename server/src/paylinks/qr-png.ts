// Encodes a QR code as a PNG with one bit per pixel. At 1024 pixels the file has about 2 KB. True colour would be much slower.
import { deflateSync } from 'node:zlib'
import { PNG_SIGNATURE, toPngBytes } from '../lib/png.ts'
import type { QrModules } from './qr-code.ts'
import { toLayout } from './qr-code.ts'

const BITS_PER_PIXEL = 1
const GREYSCALE = 0

function toHeader(sizePx: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(sizePx, 0)
  header.writeUInt32BE(sizePx, 4)
  // The last three bytes are compression, filter and interlace.
  header.set([BITS_PER_PIXEL, GREYSCALE, 0, 0, 0], 8)
  return header
}

/** One line of pixels. Its first byte is the filter, zero for "none". A white pixel is a set bit. */
function toLine(row: readonly boolean[], sizePx: number, scalePx: number, marginPx: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(sizePx / 8), 0xff)
  line[0] = 0
  for (const [index, isDark] of row.entries()) {
    if (!isDark) continue
    const from = marginPx + index * scalePx
    for (let x = from; x < from + scalePx; x += 1) {
      const byteIndex = 1 + (x >> 3)
      line[byteIndex] = line[byteIndex]! & ~(0x80 >> (x & 7))
    }
  }
  return line
}

export function toQrPng(modules: QrModules, sizePx: number): Buffer {
  const { scalePx, marginPx } = toLayout(modules, sizePx)
  const white = toLine([], sizePx, scalePx, marginPx)
  const lines = Array<Buffer>(sizePx).fill(white)
  for (const [index, row] of modules.entries()) {
    const from = marginPx + index * scalePx
    lines.fill(toLine(row, sizePx, scalePx, marginPx), from, from + scalePx)
  }
  return Buffer.concat([
    PNG_SIGNATURE,
    toPngBytes({ type: 'IHDR', data: toHeader(sizePx) }),
    // The highest level would take four times as long and save only 2.5 %.
    toPngBytes({ type: 'IDAT', data: deflateSync(Buffer.concat(lines), { level: 6 }) }),
    toPngBytes({ type: 'IEND', data: Buffer.alloc(0) }),
  ])
}
