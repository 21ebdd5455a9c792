// Makes the text of a merchant's response safe for the log. Some merchants echo whole requests, even on error pages,
// so signatures and secrets are removed.
import { scrubSecrets } from '../lib/scrub.ts'
import { createEchoFinder } from './echo.ts'

/** Enough to recognise an error page. */
export const EXCERPT_BYTES_MAX = 4096
/** More bytes are read than stored, so that a secret across the cut at EXCERPT_BYTES_MAX is read whole. */
const READ_BYTES_MAX = 2 * EXCERPT_BYTES_MAX
const REMOVED = '[removed]'

export interface ReceivedBody {
  bytes: Buffer
  /** False if only the beginning of the response was read. Then `bytes` may end with half of a secret. */
  isWhole: boolean
}

export function toExcerpt(received: ReceivedBody, signatures: readonly string[]): string | null {
  if (received.bytes.length === 0) return null
  const text = received.bytes.subarray(0, READ_BYTES_MAX).toString('utf8')
  const isWhole = received.isWhole && received.bytes.length <= READ_BYTES_MAX
  // Secrets are removed before the text is cut, because half a secret could not be recognised.
  return cutToBytes(clean(isWhole ? text : dropCutToken(text), signatures), EXCERPT_BYTES_MAX)
}

/** For short texts from other servers: the target of a redirect, the details of a certificate. */
export function toSafeText(text: string, lengthMax: number, signatures: readonly string[] = []): string {
  return clean(text, signatures).slice(0, lengthMax)
}

/** Shorter texts, such as "ok", cannot contain a signature. */
const ECHO_LENGTH_MIN = 8

function clean(text: string, signatures: readonly string[]): string {
  if (text.length < ECHO_LENGTH_MIN) return escapeControls(text)
  const tails = signatures.map(toTail)
  const isEcho = createEchoFinder(tails)
  if (!isEcho(text)) return escapeControls(scrubSecrets(text))
  const scrubbed = scrubSecrets(
    tails.reduce((cleaned, tail) => cleaned.replaceAll(toEncodings(tail), REMOVED), text),
  )
  // The signature is still found, in an encoding that cannot be cut out, so nothing of the text is stored.
  return isEcho(scrubbed) ? REMOVED : escapeControls(scrubbed)
}

function toTail(signature: string): string {
  return signature.slice(signature.lastIndexOf('.') + 1)
}

const ENTITIES: Readonly<Record<string, string>> = { '+': 'plus', '/': 'sol', '=': 'equals', ',': 'comma' }

function toEncodings(signature: string): RegExp {
  const chars = [...signature].map((char) => {
    if (/[\w-]/.test(char)) return char
    const code = char.charCodeAt(0)
    const hex = code.toString(16).padStart(2, '0')
    const encodings = [
      String.raw`\\?\x${hex}`,
      `%(?:25)*${hex}`,
      String.raw`\\u00${hex}`,
      `&#0*${code};`,
      `&#x0*${hex};`,
      `&${ENTITIES[char]};`,
    ]
    return `(?:${encodings.join('|')})`
  })
  return new RegExp(chars.join(''), 'gi')
}

/**
 * How many characters are removed at most at the end of a cut text. No secret of ours is longer, except a JWT. A JWT ends
 * with its signature, and the signature is not longer either. So all that remains of a cut signature is removed.
 */
const CUT_TOKEN_LENGTH_MAX = 128
/** Fewer characters of a secret are of no use to anybody. */
const CUT_TOKEN_LENGTH_MIN = 16
const TOKEN_CHAR = /[\w+/=.,%$&;#\\-]/

/** The token at the end of a cut text may be half of a secret. */
function dropCutToken(text: string): string {
  let start = text.length
  const stopAt = Math.max(0, text.length - CUT_TOKEN_LENGTH_MAX)
  while (start > stopAt && TOKEN_CHAR.test(text[start - 1]!)) start -= 1
  return text.length - start < CUT_TOKEN_LENGTH_MIN ? text : text.slice(0, start) + REMOVED
}

/** Control and formatting characters could change a terminal or the text direction. Line feeds stay. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' ? char : `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

/** A UTF-16 unit takes at most this many bytes in UTF-8. */
const UNIT_BYTES_MAX = 3

function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * UNIT_BYTES_MAX <= bytesMax) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  // Does not cut a character, because half of it would become a replacement character, which takes more bytes.
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}
