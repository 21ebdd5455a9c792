// The pages of the docs in reading order. Their names in URLs are the same in both languages, so that readers can switch the
// language of a page.

/** All pages in their groups, in reading order. The lists of pages and the links to the next page use this order. */
export const GROUPS = {
  start: ['quickstart', 'test-mode', 'questions'],
  accept: ['pay-links', 'qr', 'refunds', 'statement'],
  callbacks: ['callbacks', 'status-check', 'events', 'exam'],
  tools: ['sdk', 'cli'],
  live: ['go-live', 'security'],
  reference: ['reference', 'errors', 'changelog'],
} as const

export type GroupName = keyof typeof GROUPS

/** The pages of each group. */
export function toGroups<P extends { slug: string }>(pages: readonly P[]): [GroupName, P[]][] {
  return (Object.keys(GROUPS) as GroupName[]).map((name) => [
    name,
    GROUPS[name].flatMap((slug) => pages.filter((page) => page.slug === slug)),
  ])
}

/** Generated from the OpenAPI document. */
export const REFERENCE = 'reference'
export const CHANGELOG = 'changelog'
export const SLUGS: readonly string[] = Object.values(GROUPS).flat()
/** The list of all pages. */
export const INDEX = 'index'

/** The file of a page in the repository; null for a generated page. */
export function findSourcePath(locale: string, slug: string): string | null {
  if (slug === INDEX || slug === REFERENCE) return null
  return `docs/guide/${locale}/${slug}.md`
}
