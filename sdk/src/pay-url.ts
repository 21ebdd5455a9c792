// Builds the URL of a pay link. Most invalid values are refused here, so that the developer sees the error before a
// payer does.
import { Buffer } from 'node:buffer'
import { isAmount } from './amount.ts'
import { CUSTOM_ID_POINTS_MAX, DATA_BYTES_MAX } from './limits.ts'
import { hasLoneSurrogate, PayLinkError, signPayLink } from './pay-link.ts'
import type { PayLinkFields } from './pay-link.ts'

export interface PayUrlFields extends PayLinkFields {
  /** A ready signature. Pass `sig` or `secret`, or neither for an unsigned link. */
  readonly sig?: string | undefined
  readonly secret?: string | undefined
  readonly lang?: string | undefined
}

export function buildPayUrl(baseUrl: string, fields: PayUrlFields): string {
  requirePayable(fields)
  const pairs: [string, string | undefined][] = [
    ['amount', fields.amount],
    ['project', fields.project],
    ['data', fields.data ?? ''],
    ['customId', fields.customId],
    ['mode', fields.mode === 'test' ? 'test' : undefined],
    ['exp', fields.exp === undefined ? undefined : String(fields.exp)],
    ['sig', fields.secret === undefined ? fields.sig : signPayLink(fields, fields.secret)],
    ['lang', fields.lang],
  ]
  const query = pairs.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`]))
  return `${toBase(baseUrl)}/pay?${query.join('&')}`
}

// encodeURIComponent does not encode !'()*, and some chat and mail programs end a link there.
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function toBase(baseUrl: string): string {
  // A password in the base URL would be part of every link.
  if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(baseUrl)) {
    throw new PayLinkError('baseUrl', 'must be an http or https address without a query or a password.')
  }
  return baseUrl.replace(/\/+$/, '')
}

function requirePayable(fields: PayUrlFields): void {
  const { amount, project, data = '', customId, mode, exp, sig, secret, lang } = fields
  // A message is the name of the field, followed by the rule.
  const rules: [field: string, isMet: boolean, rule: string][] = [
    ['amount', isAmount(amount), 'must be 1 to 12 digits in the smallest unit, no leading zero.'],
    ['project', typeof project === 'string' && /^[a-z0-9]{1,64}$/.test(project), "must be the project's id."],
    ['data', !hasLoneSurrogate(data), 'must be well-formed text.'],
    ['data', !/\0/.test(data), 'must not contain the character NUL.'],
    ['data', Buffer.byteLength(data, 'utf8') <= DATA_BYTES_MAX, `must have at most ${DATA_BYTES_MAX} bytes.`],
    ['customId', customId === undefined || isCustomId(customId), customIdRule],
    ['exp', exp === undefined || /^[1-9][0-9]{0,11}$/.test(String(exp)), 'must be whole unix seconds.'],
    ['sig', sig === undefined || secret === undefined, 'and secret exclude each other.'],
    [
      'sig',
      mode !== 'test' || (sig ?? secret) !== undefined,
      'or secret is needed: test links are always signed.',
    ],
    ['lang', lang === undefined || /^[a-z-]{2,8}$/i.test(lang), 'must be a language tag such as cnr or en.'],
  ]
  for (const [field, isMet, rule] of rules) if (!isMet) throw new PayLinkError(field, rule)
}

const customIdRule = `must have 1 to ${CUSTOM_ID_POINTS_MAX} characters, no control or format characters, no line separators, no outer spaces.`
const CUSTOM_ID_PATTERN = new RegExp(
  `^[^\\p{Control}\\p{Format}\\p{Surrogate}\\u2028\\u2029]{1,${CUSTOM_ID_POINTS_MAX}}$`,
  'u',
)

function isCustomId(customId: string): boolean {
  return CUSTOM_ID_PATTERN.test(customId) && customId === customId.trim()
}
