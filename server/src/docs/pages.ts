// Which pages the documentation has, in the order a merchant meets them. Addresses are the same in both languages, so
// that a link to one of them is right in the other.
export const GUIDE_SLUGS = [
  'quickstart',
  'pay-links',
  'callbacks',
  'status-check',
  'qr',
  'test-mode',
  'sdk',
  'cli',
  'exam',
  'go-live',
  'security',
  'errors',
] as const

/** Made from the API's own description, not written. */
export const REFERENCE = 'reference'
export const CHANGELOG = 'changelog'
/** The list of all pages. */
export const INDEX = 'index'

export const SLUGS: readonly string[] = [...GUIDE_SLUGS, REFERENCE, CHANGELOG]
