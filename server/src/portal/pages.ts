// Which paths under /cnr and /en are pages, and which of them need no session.
const WITHOUT_SESSION = new Set(['sign-in', 'sign-up', 'forgot', 'reset', 'confirm-email', 'invitation'])

const WITH_SESSION = [
  /^projects(?:\/new)?$/,
  /^projects\/[a-z][a-z0-9]{1,31}(?:\/(?:transactions|deliveries|statement|link|status|exam|debug|inbox|quickstart|keys|members|settings))?$/,
  /^account(?:\/(?:security|sessions|tokens|audit))?$/,
]

export type PageKind = 'open' | 'session' | 'unknown'

/** `page` is the path after the language, without slashes around it. */
export function pageKind(page: string): PageKind {
  if (WITHOUT_SESSION.has(page)) return 'open'
  return WITH_SESSION.some((pattern) => pattern.test(page)) ? 'session' : 'unknown'
}
