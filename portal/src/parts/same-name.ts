/**
 * Ignores case and punctuation, because marks like „ “ are hard to type. A name without letters and digits must match
 * exactly. Both texts are normalised first, because Š can be one character, or an S and a combining mark.
 */
export function isSameName(typed: string, name: string): boolean {
  const toPlain = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return typed.trim() === name.trim() || (toPlain(name) !== '' && toPlain(typed) === toPlain(name))
}
