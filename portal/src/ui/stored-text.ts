// A text that the portal stores in this browser. If the browser blocks its storage or the storage is full, the text is
// lost when the page is reloaded.
export interface StoredText {
  read(): string | null
  /** Null deletes the text. */
  write(text: string | null): void
}

export function createStoredText(storage: 'localStorage' | 'sessionStorage', key: string): StoredText {
  let unstored: { text: string | null } | null = null
  return {
    read() {
      if (unstored) return unstored.text
      try {
        return globalThis[storage].getItem(key)
      } catch {
        return null
      }
    },
    write(text) {
      unstored = null
      try {
        if (text === null) globalThis[storage].removeItem(key)
        else globalThis[storage].setItem(key, text)
      } catch {
        unstored = { text }
      }
    },
  }
}
