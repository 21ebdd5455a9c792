const PAGES_WITHOUT_SESSION = new Set([
  'sign-in',
  'sign-up',
  'forgot',
  'reset',
  'confirm-email',
  'invitation',
])

const PAGES_WITH_SESSION = [
  /^projects(?:\/new)?$/,
  /^projects\/[a-z][a-z0-9]{1,31}(?:\/(?:transactions|deliveries|statement|link|status|exam|debug|inbox|quickstart|keys|members|settings))?$/,
  /^account(?:\/(?:security|sessions|tokens|audit))?$/,
]

export type PageKind = 'open' | 'session' | 'unknown'

/** `page` is the path after the language, without slashes around it. */
export function findPageKind(page: string): PageKind {
  if (PAGES_WITHOUT_SESSION.has(page)) return 'open'
  return PAGES_WITH_SESSION.some((pattern) => pattern.test(page)) ? 'session' : 'unknown'
}
