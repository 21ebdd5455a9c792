/**
 * Ignores case and punctuation, because marks like „ “ are hard to type. A name without letters and digits must match
 * exactly. The characters are composed first, because the stored name and the keyboard may write Š in different ways.
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
