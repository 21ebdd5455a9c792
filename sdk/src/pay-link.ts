// The message that is signed in a pay link. The values are percent-decoded and not normalized.
import { Buffer } from 'node:buffer'
import { PazarError } from './errors.ts'
import { createMac, decodeCanonical, isSameMac } from './mac.ts'
import { requireSecretOfMode } from './secret.ts'
import type { Mode } from './secret.ts'

export interface PayLinkFields {
  /** In the currency's smallest unit, as decimal digits. */
  readonly amount: string
  /** The project's id. */
  readonly project: string
  /** Missing data is signed as empty text. */
  readonly data?: string | undefined
  readonly customId?: string | undefined
  readonly mode?: Mode | undefined
  /** Unix seconds. To verify a link, the service passes the exact text from the link, because that text was signed. */
  readonly exp?: number | string | undefined
}

/** The error's text does not contain the value. */
export class PayLinkError extends PazarError {
  override readonly name = 'PayLinkError'
  readonly field: string

  constructor(field: string, rule: string) {
    super('invalid_link', `${field} ${rule}`)
    this.field = field
  }
}

// Netstrings contain their own length, so different values never give the same message.
export function payLinkMessage(fields: PayLinkFields): string {
  const values = toValues(fields)
  if (values.some(hasLoneSurrogate)) throw new PayLinkError('link', 'must hold well-formed text only.')
  return ['paylink.v1', fields.mode ?? 'live', ...values].map(toNetstring).join('')
}

export function signPayLink(fields: PayLinkFields, secret: string): string {
  requireSecretOfMode(secret, fields.mode ?? 'live')
  return createMac(secret, payLinkMessage(fields)).toString('base64url')
}

export function verifyPayLinkSig(fields: PayLinkFields, sig: string, secret: string): boolean {
  if (typeof sig !== 'string' || toValues(fields).some(hasLoneSurrogate)) return false
  return isSameMac(createMac(secret, payLinkMessage(fields)), decodeCanonical(sig, 'base64url'))
}

function toValues(fields: PayLinkFields): (string | undefined)[] {
  const exp = fields.exp === undefined ? undefined : String(fields.exp)
  return [fields.project, fields.amount, fields.data ?? '', fields.customId, exp]
}

function toNetstring(value: string | undefined): string {
  return value === undefined ? '-,' : `${Buffer.byteLength(value, 'utf8')}:${value},`
}

// In UTF-8, Buffer writes U+FFFD for half a surrogate pair, so two values would have the same signature.
export function hasLoneSurrogate(value: string | undefined): boolean {
  return value !== undefined && /\p{Surrogate}/u.test(value)
}
