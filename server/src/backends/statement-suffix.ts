// A merchant's name as it can appear on a card statement, after the operator's own name.

/**
 * Stripe allows 22 characters in all. The operator's part takes up to 10 of them and is followed by "* ". Stripe would
 * refuse a payment with a longer text.
 */
const SUFFIX_CHARACTERS_MAX = 10

/** Letters that Unicode normalization does not split into a plain letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  đ: 'd',
  Đ: 'D',
  ß: 'ss',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  æ: 'ae',
}

/** Null: the shortened name has no Latin letter. Stripe refuses such a text. */
export function toStatementSuffix(name: string): string | null {
  const plain = name
    .replaceAll(/[đĐßłŁøØæ]/g, (letter) => PLAIN_LETTERS[letter]!)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, SUFFIX_CHARACTERS_MAX)
    .trim()
  return /[A-Za-z]/.test(plain) ? plain : null
}
