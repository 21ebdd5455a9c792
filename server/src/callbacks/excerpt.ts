// What a shop answered, as text fit for the log. Shops echo whole requests back, on error pages too, so everything that
// signs is taken out first: our hash, our signature, and whatever is shaped like a secret.
import { scrubSecrets } from '../lib/scrub.ts'

/** Enough to recognise an error page by; more would be storing the shop's pages. */
export const EXCERPT_BYTES_MAX = 4096
/** Longer than any callback's hash: so much at the end of a cut-off answer may be the beginning of one. */
const LONGEST_SECRET = 4096
const REMOVED = '[removed]'

export interface Received {
  bytes: Buffer
  /** False when the answer went on: its last part may be half of something. */
  isWhole: boolean
}

export function toExcerpt(received: Received, signatures: readonly string[]): string | null {
  if (received.bytes.length === 0) return null
  // Cleaned before it is cut: half a secret would no longer look like one.
  const clean = removeSignatures(received.bytes.toString('utf8'), signatures)
  const safe = received.isWhole ? clean : clean.slice(0, Math.max(0, clean.length - LONGEST_SECRET))
  return cutToBytes(escapeControls(safe), EXCERPT_BYTES_MAX)
}

/** For the short texts of strangers: where a redirect points, what a certificate says. */
export function toSafeText(text: string, lengthMax: number): string {
  return escapeControls(scrubSecrets(text)).slice(0, lengthMax)
}

function removeSignatures(text: string, signatures: readonly string[]): string {
  const written = signatures.flatMap(toSpellings).toSorted((a, b) => b.length - a.length)
  const rest = written.reduce((clean, spelling) => clean.replaceAll(spelling, REMOVED), text)
  return scrubSecrets(rest)
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
