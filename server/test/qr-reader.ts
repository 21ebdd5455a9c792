// Reads QR codes with two unrelated readers. Images are decoded strictly here, because a lenient library could hide a fault
// of our writer.
import assert from 'node:assert/strict'
import { crc32, inflateSync } from 'node:zlib'
import jsQr from 'jsqr'
import decodeQr from 'qr/decode.js'

export interface Picture {
  width: number
  height: number
  data: Uint8ClampedArray
}

function createBlank(width: number, height: number): Picture {
  return { width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) }
}

function darken(picture: Picture, x: number, y: number): void {
  picture.data.fill(0, (y * picture.width + x) * 4, (y * picture.width + x) * 4 + 3)
}

function toChunks(png: Buffer): Map<string, Buffer> {
  assert.equal(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a')
  const chunks = new Map<string, Buffer>()
  for (let position = 8; position < png.length;) {
    const length = png.readUInt32BE(position)
    const body = png.subarray(position + 4, position + 8 + length)
    assert.equal(png.readUInt32BE(position + 8 + length), crc32(body), 'the checksum of a chunk is correct')
    chunks.set(body.subarray(0, 4).toString('latin1'), body.subarray(4))
    position += 12 + length
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
  return chunks
}

export function unpackPng(png: Buffer): Picture {
  const chunks = toChunks(png)
  const header = chunks.get('IHDR')!
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  assert.deepEqual([...header.subarray(8)], [1, 0, 0, 0, 0], 'one bit per pixel, no filter, no interlacing')
  const lines = inflateSync(chunks.get('IDAT')!)
  const stride = 1 + Math.ceil(width / 8)
  assert.equal(lines.length, stride * height)
  const picture = createBlank(width, height)
  for (let y = 0; y < height; y += 1) {
    assert.equal(lines[y * stride], 0, 'the line has no filter')
    for (let x = 0; x < width; x += 1) {
      const isWhite = (lines[y * stride + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1
      if (!isWhite) darken(picture, x, y)
    }
  }
  return picture
}

/** Draws the SVG with a whole number of pixels per module. */
export function drawSvg(svg: string, pixelsPerModule: number): Picture {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const picture = createBlank(side * pixelsPerModule, side * pixelsPerModule)
  const bars = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
  assert.equal(bars.map(([whole]) => whole).join(''), path, 'the path has only bars that are one module high')
  for (const bar of bars) {
    const [left, top, length, back] = bar.slice(1).map(Number) as [number, number, number, number]
    assert.equal(length, back)
    for (let y = top * pixelsPerModule; y < (top + 1) * pixelsPerModule; y += 1) {
      for (let x = left * pixelsPerModule; x < (left + length) * pixelsPerModule; x += 1)
        darken(picture, x, y)
    }
  }
  return picture
}

/** Both readers must find the same text. */
export function readQr(picture: Picture): string {
  const text = jsQr.default(picture.data, picture.width, picture.height)?.data
  // The default time limit is meant for video frames, so a longer one is set.
  const otherText = decodeQr(picture, { timeLimit: 30_000, effort: 9 })
  assert.equal(text, otherText, 'both readers find the same text')
  return otherText
}

export function measureFrame({ width, height, data }: Picture): number {
  let frame = Math.min(width, height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[(y * width + x) * 4] === 0) frame = Math.min(frame, x, y, width - 1 - x, height - 1 - y)
    }
  }
  return frame
}
