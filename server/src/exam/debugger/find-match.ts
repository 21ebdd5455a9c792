// Searches for the secret, id, time and body with which a signature matches. The match with the fewest differences
// from the pasted request shows what is wrong. The SDK only says whether a candidate matches, so no computed signature can
// be shown.
import type { SignatureProblem } from '@pazar/contract'
import { verifyWebhook } from '@pazar/sdk'
import type { KnownSecret, SignedFacts } from './read-hash.ts'
import type { Reading } from './read-signatures.ts'
import { isGarbled, undoEncodings } from './undo-encoding.ts'

export interface PastedParts {
  id: string
  timestamp: string
  body: string
  readings: readonly Reading[]
}

export interface Match {
  reading: Reading
  secret: KnownSecret
  problems: SignatureProblem[]
}

interface Candidate<T> {
  value: T
  problems: SignatureProblem[]
}

export function findMatch(
  pasted: PastedParts,
  signed: SignedFacts | null,
  secrets: readonly KnownSecret[],
): Match | null {
  const ids = toCandidates(pasted.id, signed?.id, 'id_changed')
  const timestamps = toCandidates(pasted.timestamp, signed?.timestamp, 'timestamp_changed')
  const matches = toBodies(pasted.body, signed).flatMap((body) =>
    ids.flatMap((id) =>
      timestamps.flatMap((timestamp) =>
        secrets.flatMap((secret) =>
          pasted.readings.flatMap((reading): Match[] => {
            const isFound = isMatching(body.value, id.value, timestamp.value, secret.text, reading.header)
            const problems = [body, id, timestamp].flatMap((candidate) => candidate.problems)
            return isFound ? [{ reading, secret, problems: [...reading.problems, ...problems] }] : []
          }),
        ),
      ),
    ),
  )
  return matches.toSorted((a, b) => a.problems.length - b.problems.length)[0] ?? null
}

function isMatching(body: string, id: string, timestamp: string, secret: string, signature: string): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  // The request's own time is passed as the current time, so the age is not checked here.
  return verifyWebhook(body, headers, { secret, nowSec: Number(timestamp) }).ok
}

function toCandidates(
  pasted: string,
  signed: string | undefined,
  problem: SignatureProblem,
): Candidate<string>[] {
  const asIs = { value: pasted, problems: [] }
  return signed === undefined || signed === pasted ? [asIs] : [asIs, { value: signed, problems: [problem] }]
}

/** Ordered from the smallest difference to the largest. Of matches with equally many problems, the first one counts. */
function toBodies(pasted: string, signed: SignedFacts | null): Candidate<string>[] {
  const bodies: Candidate<string>[] = []
  const add = (value: string, ...problems: SignatureProblem[]) => {
    if (!bodies.some((body) => body.value === value)) bodies.push({ value, problems })
  }
  add(pasted)
  add(trimSpace(pasted), 'body_line_break')
  for (const text of undoEncodings(pasted)) {
    add(text, 'body_encoding')
    add(trimSpace(text), 'body_encoding', 'body_line_break')
  }
  if (signed) add(signed.body, isGarbled(pasted, signed.body) ? 'body_encoding' : 'body_rewritten')
  return bodies
}

const isSpace = (char: string | undefined) => char !== undefined && ' \t\r\n'.includes(char)

/**
 * Removes only the white space of JSON. trim() would remove a byte order mark too. A regular expression would be slow for
 * a body with thousands of spaces.
 */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length]
  while (isSpace(text[start])) start += 1
  while (end > start && isSpace(text[end - 1])) end -= 1
  return text.slice(start, end)
}
