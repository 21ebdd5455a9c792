// The preview of a pay link in a chat: the amount, and the merchant's name if the project's owner is verified. Only a
// signed link that can be paid now has a preview, because anybody could have written an unsigned link. The order's own
// texts are only on the page.
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
