// What a shop answered, as text fit for the log. Shops echo whole requests back, on error pages too, so everything that
// signs is taken out first: our hash, our signature, and whatever is shaped like a secret.
import { scrubSecrets } from '../lib/scrub.ts'

/** Enough to recognise an error page by; more would be storing the shop's pages. */
export const EXCERPT_BYTES_MAX = 4096
/** Shorter beginnings of a signature say nothing. */
const HALF_LENGTH_MIN = 4
const REMOVED = '[removed]'

export interface Received {
  bytes: Buffer
  /** False when there was more of it: then it may end in half of something. */
  isWhole: boolean
}

export function toExcerpt(received: Received, signatures: readonly string[]): string | null {
  if (received.bytes.length === 0) return null
  const text = received.bytes.toString('utf8')
  // Most answers are an "ok" in which no signature has room.
  const mayHold = !received.isWhole || signatures.some((one) => one.length <= text.length)
  const spellings = mayHold ? signatures.flatMap(toSpellings).toSorted((a, b) => b.length - a.length) : []
  const safe = received.isWhole ? text : dropHalfSignature(text, spellings)
  // Cleaned before it is cut: half a secret would no longer look like one.
  const clean = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, REMOVED), safe)
  return cutToBytes(escapeControls(scrubSecrets(clean)), EXCERPT_BYTES_MAX)
}

/** For the short texts of strangers: where a redirect points, what a certificate says. */
export function toSafeText(text: string, lengthMax: number): string {
  return escapeControls(scrubSecrets(text)).slice(0, lengthMax)
}

function dropHalfSignature(text: string, spellings: readonly string[]): string {
  const halves = spellings.map((spelling) => {
    for (let length = Math.min(spelling.length, text.length); length >= HALF_LENGTH_MIN; length -= 1)
      if (text.endsWith(spelling.slice(0, length))) return length
    return 0
  })
  const half = Math.max(0, ...halves)
  return half === 0 ? text : text.slice(0, -half) + REMOVED
}

/** As JSON, URLs and HTML write the characters of base64 that they treat specially. */
function toSpellings(signature: string): string[] {
  const inHtml = (plus: string, slash: string, equals: string) =>
    signature.replaceAll('+', plus).replaceAll('/', slash).replaceAll('=', equals)
  return [
    ...new Set([
      signature,
      signature.replaceAll('/', String.raw`\/`),
      encodeURIComponent(signature),
      encodeURIComponent(signature).replaceAll(/%../g, (escape) => escape.toLowerCase()),
      inHtml('&#43;', '&#47;', '&#61;'),
      inHtml('&#x2B;', '&#x2F;', '&#x3D;'),
      inHtml('&#x2b;', '&#x2f;', '&#x3d;'),
      inHtml('&plus;', '&sol;', '&equals;'),
    ]),
  ]
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
