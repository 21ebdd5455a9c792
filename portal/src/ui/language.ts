// The language of this page load, from the URL. Words are loaded in groups, when a page needs them.
import type { EntryWords, Locale, PortalWords, SecurityWords, SetupWords } from '@pazar/words'

export const locale: Locale = location.pathname.split('/')[1] === 'cnr' ? 'cnr' : 'en'

const ENTRY_FILES = {
  cnr: () => import('@pazar/words/portal-entry-cnr'),
  en: () => import('@pazar/words/portal-entry-en'),
}
const WORK_FILES = {
  cnr: () => import('@pazar/words/portal-work-cnr'),
  en: () => import('@pazar/words/portal-work-en'),
}
const SETUP_FILES = {
  cnr: () => import('@pazar/words/portal-setup-cnr'),
  en: () => import('@pazar/words/portal-setup-en'),
}
const SECURITY_FILES = {
  cnr: () => import('@pazar/words/portal-security-cnr'),
  en: () => import('@pazar/words/portal-security-en'),
}

let entryLoaded: EntryWords | null = null
let allLoaded: PortalWords | null = null
let setupLoaded: SetupWords | null = null
let securityLoaded: SecurityWords | null = null

/** The print dialog loads the words of both languages, because printed sheets have both. */
export async function loadWordsOf(requested: Locale): Promise<PortalWords> {
  const [entry, work] = await Promise.all([ENTRY_FILES[requested](), WORK_FILES[requested]()])
  return { ...entry.words, ...work.words }
}

/** Without a session, only these words are loaded. */
export async function loadEntryWords(): Promise<void> {
  entryLoaded ??= (await ENTRY_FILES[locale]()).words
}

export async function loadWords(): Promise<void> {
  allLoaded ??= await loadWordsOf(locale)
  entryLoaded = allLoaded
}

export async function loadSetupWords(): Promise<void> {
  setupLoaded ??= (await SETUP_FILES[locale]()).words
}

export async function loadSecurityWords(): Promise<void> {
  securityLoaded ??= (await SECURITY_FILES[locale]()).words
}

/** For pages before sign-in, and for what is drawn on all pages. */
export function entryWords(): EntryWords {
  if (!entryLoaded) throw new Error('The words are used before they are loaded.')
  return entryLoaded
}

export function words(): PortalWords {
  if (!allLoaded) throw new Error('The words of pages after sign-in are used before they are loaded.')
  return allLoaded
}

export function setupWords(): SetupWords {
  if (!setupLoaded)
    throw new Error('The words of the secrets and quickstart pages are used before they are loaded.')
  return setupLoaded
}

export function securityWords(): SecurityWords {
  if (!securityLoaded) throw new Error('The words of the security page are used before they are loaded.')
  return securityLoaded
}

export function toUrlIn(requested: Locale): string {
  return `/${requested}${location.pathname.replace(/^\/(?:cnr|en)/, '')}${location.search}${location.hash}`
}

let removedHash = ''

/** For a page that has removed the hash from its URL, but needs the hash again after a switch of language. */
export function keepHashForLanguageSwitch(hash: string): void {
  removedHash = hash
}

/**
 * Returns the hash that was stored by keepHashForLanguageSwitch. Empty if the URL has a hash, because toUrlIn already returns
 * that hash.
 */
export function findRemovedHash(): string {
  return location.hash === '' ? removedHash : ''
}

const COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/**
 * Sets the cookie that tells the service the language of its responses. Two tabs can have different languages, so each tab
 * sets the cookie before every request.
 */
export function storeLanguage(requested: Locale = locale): void {
  if (document.cookie.split('; ').includes(`lang=${requested}`)) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `lang=${requested}; Path=/; SameSite=Lax; Max-Age=${COOKIE_MAX_AGE_SEC}${secure}`
}
