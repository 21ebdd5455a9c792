// The language of this page load. It stands in the address, so switching it is a new page; what was typed travels along
// in drafts. Words of one language only are loaded.
import type { Locale, PortalWords } from '@pazar/words'

export const locale: Locale = location.pathname.split('/')[1] === 'cnr' ? 'cnr' : 'en'

let loaded: PortalWords | null = null

/** Also the other language's, for what is read by people who chose neither: a sheet on a wall. */
export async function loadWordsOf(wanted: Locale): Promise<PortalWords> {
  const module =
    wanted === 'cnr' ? await import('@pazar/words/portal-cnr') : await import('@pazar/words/portal-en')
  return module.words
}

export async function loadWords(): Promise<void> {
  loaded = await loadWordsOf(locale)
}

export function words(): PortalWords {
  if (!loaded) throw new Error('The words are read before they are loaded.')
  return loaded
}

/** The same page in the other language, with everything its address says. */
export function addressIn(other: Locale): string {
  return `/${other}${location.pathname.replace(/^\/(?:cnr|en)/, '')}${location.search}${location.hash}`
}

let carriedHash = ''

/** What stood behind the # and was taken out of the address, for a page that still needs it in the other language. */
export function carryHash(hash: string): void {
  carriedHash = hash
}

export function takeCarriedHash(): string {
  return location.hash === '' ? carriedHash : ''
}

const COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/** Answers of the service are worded by this cookie; another tab may have another language, so it is set per call. */
export function rememberLanguage(wanted: Locale = locale): void {
  if (document.cookie.split('; ').includes(`lang=${wanted}`)) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `lang=${wanted}; Path=/; SameSite=Lax; Max-Age=${COOKIE_MAX_AGE_SEC}${secure}`
}
