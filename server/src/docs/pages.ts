// The pages of the docs in reading order. Their names in URLs are the same in both languages, so that readers can switch the
// language of a page.
export const GUIDE_SLUGS = [
  'quickstart',
  'pay-links',
  'callbacks',
  'status-check',
  'refunds',
  'statement',
  'events',
  'qr',
  'test-mode',
  'sdk',
  'cli',
  'exam',
  'go-live',
  'security',
  'questions',
  'errors',
] as const

/** Generated from the OpenAPI document. */
export const REFERENCE = 'reference'
export const CHANGELOG = 'changelog'
/** The list of all pages. */
export const INDEX = 'index'

export const SLUGS: readonly string[] = [...GUIDE_SLUGS, REFERENCE, CHANGELOG]
