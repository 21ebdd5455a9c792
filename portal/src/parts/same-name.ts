/** If the name has letters or digits, ignores case and punctuation: marks like „ “ are hard to type on a phone. */
export function isSameName(typed: string, name: string): boolean {
  const toPlain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return typed.trim() === name.trim() || (toPlain(name) !== '' && toPlain(typed) === toPlain(name))
}
