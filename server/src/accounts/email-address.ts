// The two forms of an address: as its owner writes it, and as it is compared.
import { INVISIBLE_PATTERN } from '@pazar/contract'
import { invalidField } from '../lib/service-error.ts'

export interface EmailAddress {
  email: string
  key: string
}

/** Letter case, outer spaces and the way an accent is encoded do not make another person. */
export function toEmailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** The schema has checked the shape; what it lets through and nobody can see or type is refused here. */
export function parseEmail(text: string): EmailAddress {
  if (INVISIBLE_PATTERN.test(text)) throw invalidField('email', 'invalid_email')
  return { email: text.normalize('NFC'), key: toEmailKey(text) }
}
