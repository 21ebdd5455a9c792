// The message that is signed in a pay link. The service builds it by the same rules from the percent-decoded values,
// without normalization.
import { Buffer } from 'node:buffer'
import { PazarError } from './errors.ts'
import { createMac, decodeCanonical, isSameMac } from './mac.ts'
import { requireSecretOfMode } from './secret.ts'
import type { Mode } from './secret.ts'

export interface PayLinkFields {
  /** Whole number of the currency's smallest unit, as decimal digits. */
  readonly amount: string
  /** The project's id. */
  readonly project: string
  /** Opaque to the service. Missing data is signed and written as empty. */
  readonly data?: string | undefined
  readonly customId?: string | undefined
  readonly mode?: Mode | undefined
  /** Unix seconds. The service passes the text of the link, because that text was signed. */
  readonly exp?: number | string | undefined
}

/** The message names the field and the rule, never the value. */
export class PayLinkError extends PazarError {
  override readonly name = 'PayLinkError'
  readonly field: string

  constructor(field: string, rule: string) {
    super('invalid_link', `${field} ${rule}`)
    this.field = field
  }
}

// Netstrings contain their own length, so two different lists of values never give the same text. For example, amount 1 with
// data 2x and amount 12 with data x give different messages.
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
  // Percent-decoding never gives half a surrogate pair, so no link can contain one.
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

// UTF-8 cannot encode half a surrogate pair. Buffer writes U+FFFD instead, so two values would have the same signature.
export function hasLoneSurrogate(value: string | undefined): boolean {
  return value !== undefined && /\p{Surrogate}/u.test(value)
}
