// Reduces a WebP to the chunks of the picture, and refuses animations.
import { LogoError, requireSize } from './logo-error.ts'

const ALPHA_FLAG = 0x10
const ANIMATION_FLAG = 0x02

interface Chunk {
  type: string
  data: Buffer
}

function readChunks(bytes: Buffer): Chunk[] {
  if (bytes.length < 12) throw new LogoError('truncated')
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw new LogoError('truncated')
  const chunks: Chunk[] = []
  for (let position = 12; position < end;) {
    if (position + 8 > end) throw new LogoError('truncated')
    const length = bytes.readUInt32LE(position + 4)
    if (position + 8 + length > end) throw new LogoError('truncated')
    chunks.push({
      type: bytes.toString('latin1', position, position + 4),
      data: bytes.subarray(position + 8, position + 8 + length),
    })
    position += 8 + length + (length % 2)
  }
  return chunks
}

/** A lossy picture must be a key frame. */
function readLossySize(data: Buffer): [number, number] {
  const isKeyFrame = data.length >= 10 && (data[0]! & 1) === 0
  if (!isKeyFrame || data.toString('hex', 3, 6) !== '9d012a') throw new LogoError('damaged')
  return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
}

/** The header has two numbers of 14 bits, an alpha bit, and the version, which must be 0. */
function readLosslessSize(data: Buffer): [number, number] {
  if (data.length < 5 || data[0] !== 0x2f) throw new LogoError('damaged')
  const bits = data.readUInt32LE(1)
  if (bits >>> 29 !== 0) throw new LogoError('damaged')
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

function toExtendedHeader(width: number, height: number): Chunk {
  const data = Buffer.alloc(10)
  data[0] = ALPHA_FLAG
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function toBytes(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const head = Buffer.alloc(8)
    head.write(type, 0, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

export function reduceWebp(bytes: Buffer): Buffer {
  const chunks = readChunks(bytes)
  const [first] = chunks
  const flags = first?.type === 'VP8X' ? (first.data[0] ?? 0) : 0
  const isAnimated = (flags & ANIMATION_FLAG) !== 0 || chunks.some(({ type }) => /^AN(?:IM|MF)$/.test(type))
  if (isAnimated) throw new LogoError('animated')
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const [picture] = pictures
  if (!picture || pictures.length > 1) throw new LogoError('damaged')
  const isLossy = picture.type === 'VP8 '
  const [width, height] = isLossy ? readLossySize(picture.data) : readLosslessSize(picture.data)
  requireSize(width, height)
  const alphas = chunks.filter(({ type }) => type === 'ALPH')
  if (alphas.length > 1) throw new LogoError('damaged')
  const [alpha] = alphas
  const kept = isLossy && alpha ? [toExtendedHeader(width, height), alpha, picture] : [picture]
  return toBytes(kept)
}
