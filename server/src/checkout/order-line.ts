// What a payment is for, in the merchant's words. Texts of an unsigned link are left out, because anybody can write such a
// link.
import { PAYER_TEXT_MAX } from '@pazar/contract/limits'
import type { CheckedLink } from './check-link.ts'
import type { CheckoutWords } from './page-parts.ts'

/** The merchant's text may be meant for programs, so only a short and readable text is shown. */
function toReadable(text: string | null): string | null {
  if (text === null || text.length > PAYER_TEXT_MAX || text.trim() === '') return null
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) ? text : null
}

export interface OrderTexts {
  data: string | null
  customId: string | null
  isLinkSigned: boolean
}

export function toOrderTexts({ link, isSigned }: CheckedLink): OrderTexts {
  return { data: link.data, customId: link.customId, isLinkSigned: isSigned }
}

/** Both texts are null for an unsigned link. The order's number is left out if the description is the same text. */
export function toSignedTexts({ data, customId, isLinkSigned }: OrderTexts): {
  description: string | null
  order: string | null
} {
  if (!isLinkSigned) return { description: null, order: null }
  const description = toReadable(data)
  const order = toReadable(customId)
  return { description, order: order === description ? null : order }
}

export function toOrderRows(
  { labels }: CheckoutWords,
  texts: OrderTexts,
): (readonly [label: string, value: string | null])[] {
  const { description, order } = toSignedTexts(texts)
  return [
    [labels.description, description],
    [labels.order, order],
  ]
}
