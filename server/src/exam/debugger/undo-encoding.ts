// A body whose bytes were read or written in another character encoding than UTF-8, turned back as far as that goes.

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'
/** The 32 places where Windows' own Latin-1, which most programs mean by the name, has letters of its own. */
const WINDOWS_BYTES = new Map(
  Array.from({ length: 32 }, (_, n): [string, number] => {
    const byte = 0x80 + n
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]
  }),
)

/** The texts that it may have been before; none when nothing speaks for it. */
export function undoEncodings(text: string): string[] {
  const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : null
  return [bare, undoLatin1(text)].filter((one) => one !== null)
}

/** UTF-8 that was read as Latin-1: "NarudÅ¾ba". */
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
    return null // Its bytes were never UTF-8; where they break off says nothing more.
  }
}

/** What is not ASCII got lost on the way, and nothing else: "Narud?ba", or with the mark for unreadable bytes. */
export function isGarbled(text: string, original: string): boolean {
  const letters = /[^\p{ASCII}]/gu
  if (original.search(letters) === -1) return false
  const hasMark = text.includes('\uFFFD') && text.replaceAll(letters, '') === original.replaceAll(letters, '')
  return hasMark || text === original.replaceAll(letters, '?')
}
