// JWTs with HS256, for the hashes of callbacks and status checks. The header of a token selects neither the algorithm nor
// the key.
import { Buffer } from 'node:buffer'
import { CLOCK_SKEW_SEC, JWT_BYTES_MAX } from './limits.ts'
import { createMac, createMacText, decodeCanonical, isSameMac } from './mac.ts'
import { requireSecret } from './secret.ts'
import { findJsonObject } from './strict-json.ts'
import type { JsonObject } from './strict-json.ts'

// Our payloads are flat, but a `jwk` header may nest four levels.
const JWT_DEPTH_MAX = 8

export type JwtFailure =
  | 'too_large'
  | 'malformed'
  | 'unsupported_header'
  | 'bad_signature'
  | 'bad_claims'
  | 'expired'
  | 'not_yet_valid'
export type JwtResult =
  | { readonly ok: true; readonly payload: JsonObject }
  | { readonly ok: false; readonly reason: JwtFailure }

export interface JwtVerifyOptions {
  readonly nowSec: number
  readonly maxBytes?: number
}

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

export function signJwt(payload: Readonly<JsonObject>, secret: string): string {
  return signJwtText(JSON.stringify(payload), secret)
}

/** `payload` is the JSON text of an object. */
export function signJwtText(payload: string, secret: string): string {
  const signed = `${HEADER}.${Buffer.from(payload).toString('base64url')}`
  return `${signed}.${createMacText(secret, 'base64url', signed)}`
}

/** Throws only for an unusable secret. */
export function verifyJwt(token: string, secret: string, options: JwtVerifyOptions): JwtResult {
  requireSecret(secret)
  if (typeof token !== 'string') return refuse('malformed')
  if (token.length > (options.maxBytes ?? JWT_BYTES_MAX)) return refuse('too_large')
  const firstDot = token.indexOf('.')
  const lastDot = token.lastIndexOf('.')
  if (firstDot === lastDot || token.indexOf('.', firstDot + 1) !== lastDot) return refuse('malformed')

  const header = parsePart(token.slice(0, firstDot))
  if (header === null) return refuse('malformed')
  if (!isHeaderAccepted(header)) return refuse('unsupported_header')

  const expected = createMac(secret, token.slice(0, lastDot))
  if (!isSameMac(expected, decodeCanonical(token.slice(lastDot + 1), 'base64url'))) {
    return refuse('bad_signature')
  }
  const payload = parsePart(token.slice(firstDot + 1, lastDot))
  if (payload === null) return refuse('malformed')
  const reason = findTimeFailure(payload, options.nowSec)
  return reason === null ? { ok: true, payload } : refuse(reason)
}

function refuse(reason: JwtFailure): JwtResult {
  return { ok: false, reason }
}

function parsePart(part: string): JsonObject | null {
  const bytes = decodeCanonical(part, 'base64url')
  return bytes === null ? null : findJsonObject(bytes, { maxDepth: JWT_DEPTH_MAX })
}

function isHeaderAccepted(header: JsonObject): boolean {
  if (header['alg'] !== 'HS256') return false
  // `typ` is a media type, so it ignores case.
  const typ = Object.hasOwn(header, 'typ') ? header['typ'] : 'JWT'
  if (typeof typ !== 'string' || typ.toUpperCase() !== 'JWT') return false
  // crit, b64 and zip change what is signed or how it is read. kid, jku, jwk and x5u only name keys, so they are ignored.
  return !['crit', 'b64', 'zip'].some((name) => Object.hasOwn(header, name))
}

// If nowSec is NaN, the comparisons refuse a token with exp or nbf.
function findTimeFailure(payload: JsonObject, nowSec: number): JwtFailure | null {
  for (const claim of ['exp', 'nbf', 'iat']) {
    // 1e400 is valid JSON and parses as Infinity. A token with that exp would never expire.
    if (Object.hasOwn(payload, claim) && !Number.isFinite(payload[claim])) return 'bad_claims'
  }
  if (Object.hasOwn(payload, 'exp') && !(nowSec - CLOCK_SKEW_SEC < Number(payload['exp']))) return 'expired'
  if (Object.hasOwn(payload, 'nbf') && !(nowSec + CLOCK_SKEW_SEC >= Number(payload['nbf']))) {
    return 'not_yet_valid'
  }
  return null
}
