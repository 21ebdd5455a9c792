// Which paths below /cnr and /en are pages, and which of them need no session.
const OPEN = new Set(['sign-in', 'sign-up', 'forgot', 'reset', 'confirm-email'])

const BEHIND_SESSION = [
  /^projects(?:\/new)?$/,
  /^projects\/[a-z][a-z0-9]{1,31}(?:\/(?:transactions|deliveries|statement|link|status|exam|debug|keys|settings))?$/,
  /^account(?:\/(?:sessions|tokens|audit))?$/,
]

export type PageKind = 'open' | 'session' | 'unknown'

/** `page` is the path after the language, without slashes around it. */
export function pageKind(page: string): PageKind {
  if (OPEN.has(page)) return 'open'
  return BEHIND_SESSION.some((pattern) => pattern.test(page)) ? 'session' : 'unknown'
}
