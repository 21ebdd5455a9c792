/** Compares letters and digits only, because phone keyboards hardly offer the quotation marks of a printed name. */
export function isSameName(typed: string, name: string): boolean {
  const toPlain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return typed.trim() === name.trim() || (toPlain(name) !== '' && toPlain(typed) === toPlain(name))
}
