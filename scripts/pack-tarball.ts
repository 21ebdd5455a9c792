// Packs a built package like npm: a gzipped tar with all files below `package/`. Unlike `npm pack`, which writes the
// current time, the same files give the same bytes, because a merchant's lock file has their hash.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const BLOCK_BYTES = 512
/** The size of the header's name field; a longer name must not be cut silently. */
const NAME_BYTES_MAX = 100

function toOctal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\0`
}

function toHeader(name: string, bytes: number, mode: number): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`${name} is too long a name for a tar file.`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, 0)
  header.write(toOctal(mode, 8), 100)
  header.write(toOctal(0, 8), 108) // No owner, group or time: they would differ between machines.
  header.write(toOctal(0, 8), 116)
  header.write(toOctal(bytes, 12), 124)
  header.write(toOctal(0, 12), 136)
  header.write(' '.repeat(8), 148) // The checksum is computed with its own field blank.
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function toEntry(name: string, file: string): Buffer[] {
  const bytes = readFileSync(file)
  const mode = (statSync(file).mode & 0o100) === 0 ? 0o644 : 0o755
  const rest = (BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES
  return [toHeader(name, bytes.length, mode), bytes, Buffer.alloc(rest)]
}

export function packTarball(dir: string): Buffer {
  const entries = readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file) => toEntry(`package/${path.relative(dir, file).split(path.sep).join('/')}`, file))
  // Two empty blocks mark the end.
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 })
}
