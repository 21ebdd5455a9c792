// Packs files into a gzipped tar. The same files must give the same bytes, because a merchant's lock file has the
// hash of the tarball.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const BLOCK_BYTES = 512
const NAME_BYTES_MAX = 100

export interface TarFile {
  name: string
  bytes: Buffer
  isProgram: boolean
}

function toOctal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\0`
}

function toHeader({ name, bytes, isProgram }: TarFile): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`${name} is too long a name for a tar file.`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(name, 0)
  header.write(toOctal(isProgram ? 0o755 : 0o644, 8), 100)
  header.write(toOctal(0, 8), 108) // No owner, group or time, because these would change the bytes.
  header.write(toOctal(0, 8), 116)
  header.write(toOctal(bytes.length, 12), 124)
  header.write(toOctal(0, 12), 136)
  header.write(' '.repeat(8), 148) // The checksum is computed with its own field blank.
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function toEntry(file: TarFile): Buffer[] {
  const paddingLength = (BLOCK_BYTES - (file.bytes.length % BLOCK_BYTES)) % BLOCK_BYTES
  return [toHeader(file), file.bytes, Buffer.alloc(paddingLength)]
}

export function readTarFile(dir: string, name: string): TarFile {
  const file = path.join(dir, name)
  return { name, bytes: readFileSync(file), isProgram: (statSync(file).mode & 0o100) !== 0 }
}

export function toTarball(folder: string, files: readonly TarFile[]): Buffer {
  const entries = files.flatMap((file) => toEntry({ ...file, name: `${folder}/${file.name}` }))
  // Two empty blocks mark the end.
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 })
}

/** Returns paths relative to `dir`, with slashes as separators. */
export function listFilesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}

export function packTarball(dir: string): Buffer {
  return toTarball(
    'package',
    listFilesBelow(dir).map((name) => readTarFile(dir, name)),
  )
}
