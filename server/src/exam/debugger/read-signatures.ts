// The signatures of a header in whatever writing they come, read back to the one writing that can be checked. Nothing is
// computed here: a reading is only ever offered to the SDK's own check.
import type { SignatureProblem } from '@pazar/contract'

export interface Reading {
  /** As it should have been written. */
  header: string
  problems: SignatureProblem[]
}

/** A sender between two keys sends two. More is work without a sense. */
const ENTRIES_MAX = 4

export function readSignatures(header: string): Reading[] {
  const entries = header.split(/\s+/).filter((entry) => entry !== '')
  return entries.slice(0, ENTRIES_MAX).flatMap((entry) => readEntry(entry) ?? [])
}

function readEntry(entry: string): Reading | null {
  const hasVersion = entry.startsWith('v1,')
  // Other versions are other schemes, whose keys we do not have.
  if (!hasVersion && /^v\d+\w*,/.test(entry)) return null
  const written = readWriting(hasVersion ? entry.slice('v1,'.length) : entry)
  if (written === null) return null
  const problems: SignatureProblem[] = hasVersion ? [] : ['signature_no_version']
  if (written.problem !== null) problems.push(written.problem)
  return { header: `v1,${written.mac.toString('base64')}`, problems }
}

interface Written {
  mac: Buffer
  problem: SignatureProblem | null
}

const HEX = /^[0-9a-f]{64}$/i

function readWriting(text: string): Written | null {
  if (HEX.test(text)) return { mac: Buffer.from(text, 'hex'), problem: 'signature_hex' }
  // Takes both alphabets, with and without its end, and passes over what belongs to neither.
  const bytes = Buffer.from(text, 'base64')
  const inner = bytes.toString('latin1')
  if (HEX.test(inner)) return { mac: Buffer.from(inner, 'hex'), problem: 'signature_base64_of_hex' }
  if (bytes.length !== MAC_BYTES) return null
  if (bytes.toString('base64') === text) return { mac: bytes, problem: null }
  const isUrl = /[-_]/.test(text) || bytes.toString('base64url') === text
  return { mac: bytes, problem: isUrl ? 'signature_base64url' : 'signature_not_canonical' }
}

const MAC_BYTES = 32
