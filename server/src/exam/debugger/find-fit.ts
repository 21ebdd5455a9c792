// Looks for the way in which a signature does fit: with which secret, which id, time and body. The one with the fewest
// differences from what was pasted says what is wrong. Every try is the SDK's own check, which says yes or no and
// nothing else, so no signature is ever computed where it could be shown.
import type { SignatureProblem } from '@pazar/contract'
import { verifyWebhook } from '@pazar/sdk'
import type { KnownSecret, SignedFacts } from './read-hash.ts'
import type { Reading } from './read-signatures.ts'
import { isGarbled, undoEncodings } from './undo-encoding.ts'

export interface Pasted {
  id: string
  timestamp: string
  body: string
  readings: readonly Reading[]
}

export interface Fit {
  reading: Reading
  secret: KnownSecret
  problems: SignatureProblem[]
}

interface Candidate<T> {
  value: T
  problems: SignatureProblem[]
}

export function findFit(
  pasted: Pasted,
  signed: SignedFacts | null,
  secrets: readonly KnownSecret[],
): Fit | null {
  const ids = toCandidates(pasted.id, signed?.id, 'id_changed')
  const timestamps = toCandidates(pasted.timestamp, signed?.timestamp, 'timestamp_changed')
  const fits = toBodies(pasted.body, signed).flatMap((body) =>
    ids.flatMap((id) =>
      timestamps.flatMap((timestamp) =>
        secrets.flatMap((secret) =>
          pasted.readings.flatMap((reading): Fit[] => {
            const isFit = fitsTogether(body.value, id.value, timestamp.value, secret.text, reading.header)
            const problems = [body, id, timestamp].flatMap((candidate) => candidate.problems)
            return isFit ? [{ reading, secret, problems: [...reading.problems, ...problems] }] : []
          }),
        ),
      ),
    ),
  )
  return fits.toSorted((a, b) => a.problems.length - b.problems.length)[0] ?? null
}

function fitsTogether(
  body: string,
  id: string,
  timestamp: string,
  secret: string,
  signature: string,
): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  // Whether it is too old is another question.
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

/** From the smallest difference to the largest: of two that fit equally well, the first says what is wrong. */
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

/** As JSON has it: to trim() a byte order mark is white space too. */
function trimSpace(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}
