// A merchant's name as it can appear on a card statement, after the operator's own name.

/**
 * Stripe allows 22 characters in all. The operator's part takes up to 10 of them and is followed by "* ". Stripe would
 * refuse a payment with a longer text.
 */
const SUFFIX_CHARACTERS_MAX = 10

/** Lower-case letters that Unicode normalization does not split into a plain letter and a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  ǆ: 'dz',
  đ: 'd',
  ð: 'd',
  ə: 'e',
  ħ: 'h',
  ı: 'i',
  ĳ: 'ij',
  ł: 'l',
  ǉ: 'lj',
  ǌ: 'nj',
  ŋ: 'n',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
}

/** Replaces a letter of PLAIN_LETTERS. For a capital letter, the result is in capitals too: Đ becomes D, and Æ becomes AE. */
function toPlainLetter(letter: string): string {
  const lower = letter.toLowerCase()
  const plain = PLAIN_LETTERS[lower]
  if (plain === undefined) return letter
  return letter === lower ? plain : plain.toUpperCase()
}

/** Null: the shortened name has no Latin letter. Stripe refuses such a text. */
export function toStatementSuffix(name: string): string | null {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\p{L}/gu, toPlainLetter)
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, SUFFIX_CHARACTERS_MAX)
    .trim()
  return /[A-Za-z]/.test(plain) ? plain : null
}
