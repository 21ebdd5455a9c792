// Reduces a PNG to the chunks of the picture. The pixels are decompressed and compressed again, so that nothing else can
// be hidden in the stream.
import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import type { PngChunk } from '../../lib/png.ts'
import { PNG_SIGNATURE, toPngBytes } from '../../lib/png.ts'
import { LogoError, requireSize } from './logo-error.ts'

const inflateAsync = promisify(inflate)
const deflateAsync = promisify(deflate)

/** Bytes after the end chunk are dropped. */
function readChunks(bytes: Buffer): PngChunk[] {
  const chunks: PngChunk[] = []
  let position = PNG_SIGNATURE.length
  for (;;) {
    // Length, type and checksum take four bytes each.
    if (position + 12 > bytes.length) throw new LogoError('truncated')
    const length = bytes.readUInt32BE(position)
    const end = position + 8 + length
    if (end + 4 > bytes.length) throw new LogoError('truncated')
    if (crc32(bytes.subarray(position + 4, end)) !== bytes.readUInt32BE(end)) throw new LogoError('damaged')
    const type = bytes.toString('latin1', position + 4, position + 8)
    chunks.push({ type, data: bytes.subarray(position + 8, end) })
    if (type === 'IEND') return chunks
    position = end + 4
  }
}

/** Samples per pixel and the allowed bit depths, by colour type. */
const COLOUR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/** For each of the seven passes of an interlaced picture: the first column and row, and the steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Header {
  colourType: number
  /** The length of each row in bytes, without its filter byte. */
  rowLengths: number[]
}

function readHeader(data: Buffer): Header {
  if (data.length !== 13) throw new LogoError('damaged')
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  requireSize(width, height)
  const [depth, colourType, compression, filter, interlace] = [...data.subarray(8)] as [
    number,
    number,
    number,
    number,
    number,
  ]
  const colour = COLOUR_TYPES[colourType]
  if (!colour?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw new LogoError('damaged')
  const passes = interlace === 1 ? PASSES : ([[0, 0, 1, 1]] as const)
  const rowLengths = passes.flatMap(([left, top, columnStep, rowStep]) => {
    const columns = Math.ceil((width - left) / columnStep)
    const count = columns > 0 ? Math.max(0, Math.ceil((height - top) / rowStep)) : 0
    return Array<number>(count).fill(Math.ceil((columns * colour.samples * depth) / 8))
  })
  return { colourType, rowLengths }
}

async function reencode(data: Buffer, rowLengths: readonly number[]): Promise<Buffer> {
  const length = rowLengths.reduce((sum, rowLength) => sum + rowLength + 1, 0)
  const pixels = await inflateAsync(data, { maxOutputLength: length }).catch(() => {
    throw new LogoError('damaged')
  })
  if (pixels.length !== length) throw new LogoError('damaged')
  let position = 0
  for (const rowLength of rowLengths) {
    // Each row starts with its filter type, 0 to 4.
    if (pixels[position]! > 4) throw new LogoError('damaged')
    position += rowLength + 1
  }
  return deflateAsync(pixels, { level: 9 })
}

function findOnly(chunks: readonly PngChunk[], type: string): PngChunk | null {
  const found = chunks.filter((chunk) => chunk.type === type)
  if (found.length > 1) throw new LogoError('damaged')
  return found[0] ?? null
}

function readPalette(chunks: readonly PngChunk[], colourType: number): PngChunk[] {
  const palette = findOnly(chunks, 'PLTE')
  const alpha = findOnly(chunks, 'tRNS')
  const entries = (palette?.data.length ?? 0) / 3
  if (colourType === 3 && (!Number.isInteger(entries) || entries < 1 || entries > 256))
    throw new LogoError('damaged')
  // Bytes of tRNS: a grey sample, three RGB samples, or at most one byte for each colour of the palette.
  const alphaMax = { 0: 2, 2: 6, 3: entries }[colourType] ?? 0
  const isAlphaUsable =
    alpha !== null &&
    alpha.data.length > 0 &&
    (colourType === 3 ? alpha.data.length <= alphaMax : alpha.data.length === alphaMax)
  return [...(palette && colourType === 3 ? [palette] : []), ...(alpha && isAlphaUsable ? [alpha] : [])]
}

export async function reducePng(bytes: Buffer): Promise<Buffer> {
  const chunks = readChunks(bytes)
  const [first] = chunks
  if (first?.type !== 'IHDR' || findOnly(chunks, 'IHDR') !== first) throw new LogoError('damaged')
  const { colourType, rowLengths } = readHeader(first.data)
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
  const pixels = { type: 'IDAT', data: await reencode(data, rowLengths) }
  const kept = [first, ...readPalette(chunks, colourType), pixels, { type: 'IEND', data: Buffer.alloc(0) }]
  return Buffer.concat([PNG_SIGNATURE, ...kept.map(toPngBytes)])
}
