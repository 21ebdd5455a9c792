// A small valid PNG for uploads: an orange square of 16 by 16 pixels.
import { crc32, deflateSync } from 'node:zlib'

const SIDE = 16
const ORANGE = [0xd9, 0x48, 0x0f]

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const header = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 8, 2, 0, 0, 0])
const row = Buffer.from([0, ...Array.from({ length: SIDE }, () => ORANGE).flat()])
const pixels = deflateSync(Buffer.concat(Array.from({ length: SIDE }, () => row)))

export const LOGO_PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('tEXt', Buffer.from('Comment\u0000where it was made')),
  chunk('IDAT', pixels),
  chunk('IEND', Buffer.alloc(0)),
])
