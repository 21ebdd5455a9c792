// The language of this page load. It is part of the address, so switching it loads a new page, and drafts.ts saves what was
// typed. Only the words of one language are loaded.
import type { Locale, PortalWords } from '@pazar/words'

export const locale: Locale = location.pathname.split('/')[1] === 'cnr' ? 'cnr' : 'en'

let loaded: PortalWords | null = null

/** Printed sheets have both languages, so the other one can be loaded too. */
export async function loadWordsOf(requested: Locale): Promise<PortalWords> {
  const module =
    requested === 'cnr' ? await import('@pazar/words/portal-cnr') : await import('@pazar/words/portal-en')
  return module.words
}

export async function loadWords(): Promise<void> {
  loaded = await loadWordsOf(locale)
}

export function words(): PortalWords {
  if (!loaded) throw new Error('The words are used before they are loaded.')
  return loaded
}

/** The same page, query and hash in another language. */
export function toUrlIn(requested: Locale): string {
  return `/${requested}${location.pathname.replace(/^\/(?:cnr|en)/, '')}${location.search}${location.hash}`
}

let removedHash = ''

/** Remembers a hash that a page removed from its address, but needs again after a switch of language. */
export function keepHashForLanguageSwitch(hash: string): void {
  removedHash = hash
}

/** Empty if the address has a hash, which toUrlIn contains already. */
export function findRemovedHash(): string {
  return location.hash === '' ? removedHash : ''
}

const COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/** The service picks the language of its responses by this cookie. Tabs may differ, so it is set before each request. */
export function storeLanguage(requested: Locale = locale): void {
  if (document.cookie.split('; ').includes(`lang=${requested}`)) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `lang=${requested}; Path=/; SameSite=Lax; Max-Age=${COOKIE_MAX_AGE_SEC}${secure}`
}
