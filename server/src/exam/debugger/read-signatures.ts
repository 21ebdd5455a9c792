// Reads the signatures of a header in several encodings and rewrites them in the correct encoding.
import type { SignatureProblem } from '@pazar/contract'

export interface Reading {
  header: string
  problems: SignatureProblem[]
}

/** Four entries are enough, because a sender that rotates its secret sends two signatures. */
const ENTRIES_MAX = 4

export function readSignatures(header: string): Reading[] {
  const entries = header.split(/\s+/).filter((entry) => entry !== '')
  return entries.slice(0, ENTRIES_MAX).flatMap((entry) => readEntry(entry) ?? [])
}

function readEntry(entry: string): Reading | null {
  const hasVersion = entry.startsWith('v1,')
  // An entry with another version, for example `v1a`, uses another signature scheme. We have no key of that scheme.
  if (!hasVersion && /^v\d+\w*,/.test(entry)) return null
  const decoded = decodeMac(hasVersion ? entry.slice('v1,'.length) : entry)
  if (decoded === null) return null
  const problems: SignatureProblem[] = hasVersion ? [] : ['signature_no_version']
  if (decoded.problem !== null) problems.push(decoded.problem)
  return { header: `v1,${decoded.mac.toString('base64')}`, problems }
}

interface DecodedMac {
  mac: Buffer
  problem: SignatureProblem | null
}

const HEX = /^[0-9a-f]{64}$/i

function decodeMac(text: string): DecodedMac | null {
  if (HEX.test(text)) return { mac: Buffer.from(text, 'hex'), problem: 'signature_hex' }
  // Buffer.from reads base64 and base64url, with and without padding, and ignores other characters.
  const bytes = Buffer.from(text, 'base64')
  const inner = bytes.toString('latin1')
  if (HEX.test(inner)) return { mac: Buffer.from(inner, 'hex'), problem: 'signature_base64_of_hex' }
  if (bytes.length !== MAC_BYTES) return null
  if (bytes.toString('base64') === text) return { mac: bytes, problem: null }
  const isUrl = /[-_]/.test(text) || bytes.toString('base64url') === text
  return { mac: bytes, problem: isUrl ? 'signature_base64url' : 'signature_not_canonical' }
}

const MAC_BYTES = 32
