// Reduces a JPEG to the segments of the picture: tables, frame, scans and the colour marker.
import { LogoError, requireSize } from './logo-error.ts'

/** Markers: start of image, end of image, start of scan. */
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
/** Quantization tables, Huffman tables, restart interval. */
const TABLES = new Set([0xdb, 0xc4, 0xdd])
/** Baseline, extended and progressive frames. Browsers do not show other frames. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
/** Other frame types, arithmetic coding, and segments that only unusual pictures have. */
const REFUSED = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xdc, 0xde, 0xdf,
])
/** A progressive picture has about ten scans. A picture with hundreds would keep a browser busy. */
const SCANS_MAX = 32

interface Segment {
  marker: number
  data: Buffer
  end: number
}

/** Fill bytes before the marker are allowed. */
function readSegment(bytes: Buffer, position: number): Segment {
  let start = position
  if (bytes[start] !== 0xff) throw new LogoError('damaged')
  while (bytes[start] === 0xff) start += 1
  const marker = bytes[start]
  if (marker === undefined) throw new LogoError('truncated')
  if (marker === EOI) return { marker, data: Buffer.alloc(0), end: start + 1 }
  // These markers have no length, so none of them can begin a segment.
  if (marker === 0 || marker === 1 || marker === SOI || (marker >= 0xd0 && marker <= 0xd7))
    throw new LogoError('damaged')
  if (start + 3 > bytes.length) throw new LogoError('truncated')
  const length = bytes.readUInt16BE(start + 1)
  const end = start + 1 + length
  if (length < 2) throw new LogoError('damaged')
  if (end > bytes.length) throw new LogoError('truncated')
  return { marker, data: bytes.subarray(start + 3, end), end }
}

/** The end of the coded data of a scan: the next marker that is not a restart marker. */
function findScanEnd(bytes: Buffer, scanStart: number): number {
  for (let position = scanStart; position + 1 < bytes.length; position += 1) {
    if (bytes[position] !== 0xff) continue
    const next = bytes[position + 1]!
    if (next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)) continue
    return position
  }
  throw new LogoError('truncated')
}

function requireFrame(data: Buffer): void {
  if (data.length < 6) throw new LogoError('damaged')
  const components = data[5]!
  if (data[0] !== 8 || (components !== 1 && components !== 3) || data.length !== 6 + components * 3)
    throw new LogoError('damaged')
  requireSize(data.readUInt16BE(3), data.readUInt16BE(1))
}

/** The Adobe segment says how colours are stored. Only its first 12 bytes are kept. Null for any other segment. */
function toColourSegment(data: Buffer): Buffer | null {
  if (data.length < 12 || data.toString('latin1', 0, 5) !== 'Adobe') return null
  return toSegment(0xee, data.subarray(0, 12))
}

function toSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

export function reduceJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [Buffer.from([0xff, SOI])]
  let [position, frames, scans] = [2, 0, 0]
  for (;;) {
    const { marker, data, end } = readSegment(bytes, position)
    position = end
    if (REFUSED.has(marker)) throw new LogoError('damaged')
    if (marker === EOI) break
    if (FRAMES.has(marker)) {
      requireFrame(data)
      frames += 1
      if (frames > 1 || scans > 0) throw new LogoError('damaged')
    }
    const colours = marker === 0xee ? toColourSegment(data) : null
    if (colours) kept.push(colours)
    if (TABLES.has(marker) || FRAMES.has(marker)) kept.push(toSegment(marker, data))
    if (marker === SOS) {
      scans += 1
      if (frames === 0 || scans > SCANS_MAX) throw new LogoError('damaged')
      position = findScanEnd(bytes, end)
      kept.push(toSegment(marker, data), bytes.subarray(end, position))
    }
  }
  if (scans === 0) throw new LogoError('damaged')
  return Buffer.concat([...kept, Buffer.from([0xff, EOI])])
}
