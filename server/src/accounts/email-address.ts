// An e-mail address in two forms: as its owner writes it, and normalised for comparison (`key`).
import { INVISIBLE_PATTERN } from '@pazar/contract'
import { invalidField } from '../lib/service-error.ts'

export interface EmailAddress {
  email: string
  key: string
}

/** Addresses that differ only in letter case, outer spaces or the encoding of accents are the same. */
export function toEmailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** Refuses invisible characters. The schema has checked the rest of the format. */
export function parseEmail(text: string, path = 'email'): EmailAddress {
  if (INVISIBLE_PATTERN.test(text)) throw invalidField(path, 'invalid_email')
  return { email: text.normalize('NFC'), key: toEmailKey(text) }
}
