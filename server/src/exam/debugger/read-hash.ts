// The hash in a callback's body is a JWT that contains every other field of the body. So the hash shows the body as it was
// signed, byte for byte.
import type { Mode } from '@pazar/contract'
import {
  CALLBACK_DEPTH_MAX,
  HASH_BYTES_MAX,
  isJsonObject,
  parseStrictJson,
  StrictJsonError,
  verifyJwt,
} from '@pazar/sdk'
import type { JsonObject } from '@pazar/sdk'

export interface KnownSecret {
  mode: Mode
  text: string
  /** The secret is without its prefix sk_live_ or sk_test_, which some merchants remove. */
  isCut: boolean
}

export interface SignedFacts {
  secret: KnownSecret
  id: string
  timestamp: string
  body: string
  fields: JsonObject
}

export function findObject(text: string): JsonObject | null {
  try {
    const value = parseStrictJson(text, { maxDepth: CALLBACK_DEPTH_MAX })
    return isJsonObject(value) ? value : null
  } catch (error) {
    // The caller only needs to know that the text is not the JSON of a callback.
    if (error instanceof StrictJsonError) return null
    throw error
  }
}

/** Null when the hash was made with none of the secrets. */
export function findSignedFacts(
  hash: unknown,
  secrets: readonly KnownSecret[],
  nowSec: number,
): SignedFacts | null {
  if (typeof hash !== 'string') return null
  for (const secret of secrets) {
    const token = verifyJwt(hash, secret.text, { nowSec, maxBytes: HASH_BYTES_MAX })
    if (!token.ok) continue
    const { iat, jti, ...facts } = token.payload
    const fields = { ...facts, hash }
    // The same secret signs the hash of a status check, which needs neither id nor time. Without them it matches no callback.
    const id = typeof jti === 'string' ? jti : ''
    const timestamp = typeof iat === 'number' ? String(iat) : ''
    return { secret, id, timestamp, body: JSON.stringify(fields), fields }
  }
  return null
}
