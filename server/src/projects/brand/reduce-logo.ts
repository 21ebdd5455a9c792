// Reduces an uploaded picture to the parts that browsers need to show it. No native image library reads the upload.
import { LOGO_BYTES_MAX } from '@pazar/contract'
import { PNG_SIGNATURE } from '../../lib/png.ts'
import type { Logo, LogoExtension } from '../brand.ts'
import { LOGO_TYPES } from '../brand.ts'
import { reduceJpeg } from './reduce-jpeg.ts'
import { LogoError } from './logo-error.ts'
import { reducePng } from './reduce-png.ts'
import { reduceWebp } from './reduce-webp.ts'

/** Finds the format by the first bytes, because the declared type is not trusted. */
function findExtension(bytes: Buffer): LogoExtension | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpg'
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'webp' : null
}

/** Our own compression may make the file a little larger than the upload. */
const GROWTH_MAX = 1.25

export async function reduceLogo(bytes: Buffer, type: string): Promise<Logo> {
  if (bytes.length > LOGO_BYTES_MAX) throw new LogoError('too_large')
  const extension = findExtension(bytes)
  if (extension === null || LOGO_TYPES[extension] !== type) throw new LogoError('unknown_format')
  const reduce = { png: reducePng, jpg: reduceJpeg, webp: reduceWebp }[extension]
  const reduced = await reduce(bytes)
  if (reduced.length > LOGO_BYTES_MAX * GROWTH_MAX) throw new LogoError('too_large')
  return { extension, bytes: reduced }
}
