// What a merchant responded, as text fit for the log. Merchants echo whole requests back, on error pages too, so everything that
// signs is taken out first: our hash, our signature, and whatever is shaped like a secret.
import { scrubSecrets } from '../lib/scrub.ts'
import { createEchoFinder } from './echo.ts'

/** Enough to recognise an error page by; more would be storing the merchant's pages. */
export const EXCERPT_BYTES_MAX = 4096
/** What is read for it: the rest leaves space for what is taken out, and for what begins before the cut and ends behind it. */
const READ_BYTES_MAX = 2 * EXCERPT_BYTES_MAX
const REMOVED = '[removed]'

export interface Received {
  bytes: Buffer
  /** False when there was more of it: then it may end in half of something. */
  isWhole: boolean
}

/** `signatures` is what made the request believable, and must not be stored whatever the merchant does with it. */
export function toExcerpt(received: Received, signatures: readonly string[]): string | null {
  if (received.bytes.length === 0) return null
  const text = received.bytes.subarray(0, READ_BYTES_MAX).toString('utf8')
  const isWhole = received.isWhole && received.bytes.length <= READ_BYTES_MAX
  // Cleaned before it is cut: half a secret would no longer look like one.
  return cutToBytes(clean(isWhole ? text : dropCutToken(text), signatures), EXCERPT_BYTES_MAX)
}

/** For the short texts of strangers: where a redirect points, what a certificate says. */
export function toSafeText(text: string, lengthMax: number, signatures: readonly string[] = []): string {
  return clean(text, signatures).slice(0, lengthMax)
}

/** Most responses are an "ok" in which no signature has room. */
const ECHO_LENGTH_MIN = 8

function clean(text: string, signatures: readonly string[]): string {
  if (text.length < ECHO_LENGTH_MIN) return escapeControls(text)
  const tails = signatures.map(toTail)
  const isEcho = createEchoFinder(tails)
  if (!isEcho(text)) return escapeControls(scrubSecrets(text))
  const rest = scrubSecrets(tails.reduce((left, tail) => left.replaceAll(toWritings(tail), REMOVED), text))
  // Written in a way that cannot be taken out on its own, so nothing is stored.
  return isEcho(rest) ? REMOVED : escapeControls(rest)
}

/** Of a JWT the part that makes it believable; the others only say what is known. */
function toTail(signature: string): string {
  return signature.slice(signature.lastIndexOf('.') + 1)
}

const ENTITIES: Readonly<Record<string, string>> = { '+': 'plus', '/': 'sol', '=': 'equals', ',': 'comma' }

/** The signature as JSON, URLs and HTML write it: each of its signs in any of their ways, also mixed. */
function toWritings(signature: string): RegExp {
  const signs = [...signature].map((sign) => {
    if (/[\w-]/.test(sign)) return sign
    const code = sign.charCodeAt(0)
    const hex = code.toString(16).padStart(2, '0')
    const ways = [
      String.raw`\\?\x${hex}`,
      `%(?:25)*${hex}`,
      String.raw`\\u00${hex}`,
      `&#0*${code};`,
      `&#x0*${hex};`,
      `&${ENTITIES[sign]};`,
    ]
    return `(?:${ways.join('|')})`
  })
  return new RegExp(signs.join(''), 'gi')
}

/** Longer than any secret of ours; what was longer than this and is cut lacks the part that counts. */
const CUT_TOKEN_LENGTH_MAX = 128
/** Fewer signs give nothing away. */
const CUT_TOKEN_LENGTH_MIN = 16
const TOKEN_SIGN = /[\w+/=.,%$&;#\\-]/

/** The end of a text that goes on may be half of a secret, which has no shape to know it by. */
function dropCutToken(text: string): string {
  let start = text.length
  const stopAt = Math.max(0, text.length - CUT_TOKEN_LENGTH_MAX)
  while (start > stopAt && TOKEN_SIGN.test(text[start - 1]!)) start -= 1
  return text.length - start < CUT_TOKEN_LENGTH_MIN ? text : text.slice(0, start) + REMOVED
}

/** Nothing in it can end a line of a terminal or a log, or turn the reading direction. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' ? char : `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  // A character cut in two would become a longer replacement character.
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}
