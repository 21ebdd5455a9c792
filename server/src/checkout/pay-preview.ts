// What a chat shows of a pay link: the amount, and the merchant's name if its owner is verified. Only for a signed link that
// can be paid now: anybody could have written an unsigned one. The order's own texts stay on the page.
import type { LinkPreview } from '../http/link-preview.ts'
import type { CheckedLink } from './check-link.ts'
import type { CheckoutWords } from './page-parts.ts'

export function toPayPreview(
  words: CheckoutWords,
  { link, target, isSigned }: CheckedLink,
  amount: string,
): LinkPreview | null {
  if (!isSigned) return null
  const title = target.isOwnerVerified ? words.title(amount, target.name) : words.preview.title(amount)
  const { text } = words.preview
  return { title, description: link.mode === 'test' ? `${words.testBar}. ${text}` : text }
}
