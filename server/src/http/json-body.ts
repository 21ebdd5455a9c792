// Reads JSON bodies strictly: valid UTF-8, no repeated keys, no keys that change prototypes, bounded depth, and no text that
// PostgreSQL cannot store.
import { parseStrictJson, StrictJsonError } from '@pazar/sdk'
import type { FieldError } from '../lib/service-error.ts'
import { ServiceError } from '../lib/service-error.ts'

/** More levels than the contract's bodies need. */
const DEPTH_MAX = 16
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function collectBadText(value: unknown, path: string, found: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isStorableText(value)) found.push({ path, code: 'invalid_text' })
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = path ? `${path}.${key}` : key
    if (!isStorableText(key)) found.push({ path, code: 'invalid_text' })
    else collectBadText(inner, innerPath, found)
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    // The decoder's error has no details worth keeping.
    throw new ServiceError('invalid_request', { fields: [{ path: '', code: 'not_utf8' }] })
  }
}

export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = parseStrictJson(text, { maxDepth: DEPTH_MAX })
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    throw new ServiceError('invalid_request', {
      fields: [{ path: error.path.join('.'), code: error.problem }],
    })
  }
  const found: FieldError[] = []
  collectBadText(value, '', found)
  if (found.length > 0) throw new ServiceError('invalid_request', { fields: found })
  return value
}
