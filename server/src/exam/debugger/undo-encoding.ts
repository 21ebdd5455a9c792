// Restores, as far as possible, a body that was read or written in an encoding other than UTF-8.

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'
/** The 32 bytes in which Windows-1252 may differ from Latin-1. Many programs that say Latin-1 use Windows-1252. */
const WINDOWS_BYTES = new Map(
  Array.from({ length: 32 }, (_, n): [string, number] => {
    const byte = 0x80 + n
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]
  }),
)

export function undoEncodings(text: string): string[] {
  const withoutMark = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : null
  return [withoutMark, undoLatin1(text)].filter((one) => one !== null)
}

/** Restores UTF-8 that was read as Latin-1, such as "NarudÅ¾ba". */
function undoLatin1(text: string): string | null {
  if (/^\p{ASCII}*$/u.test(text)) return null
  const bytes: number[] = []
  for (const char of text) {
    const byte = WINDOWS_BYTES.get(char) ?? char.codePointAt(0)!
    if (byte > 0xff) return null
    bytes.push(byte)
  }
  try {
    return utf8.decode(Uint8Array.from(bytes))
  } catch {
    return null // These bytes were never UTF-8.
  }
}

/** Whether only the characters outside ASCII were lost, as in "Narud?ba" or with the replacement character. */
export function isGarbled(text: string, original: string): boolean {
  const letters = /[^\p{ASCII}]/gu
  if (original.search(letters) === -1) return false
  const hasMark = text.includes('\uFFFD') && text.replaceAll(letters, '') === original.replaceAll(letters, '')
  return hasMark || text === original.replaceAll(letters, '?')
}
