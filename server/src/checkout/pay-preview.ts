// The preview of a pay link in a chat. Anybody can write an unsigned link, so only a signed link has a preview.
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
