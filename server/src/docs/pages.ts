// The names of the pages in URLs are the same in both languages, so that readers can switch the language of a page.

/** The groups and their pages, in reading order. */
export const GROUPS = {
  start: ['quickstart', 'test-mode', 'questions'],
  accept: ['pay-links', 'qr', 'refunds', 'statement'],
  callbacks: ['callbacks', 'status-check', 'events', 'exam'],
  tools: ['sdk', 'cli'],
  live: ['go-live', 'security'],
  reference: ['reference', 'errors', 'changelog'],
} as const

export type GroupName = keyof typeof GROUPS

export function toGroups<P extends { slug: string }>(pages: readonly P[]): [GroupName, P[]][] {
  return (Object.keys(GROUPS) as GroupName[]).map((name) => [
    name,
    GROUPS[name].flatMap((slug) => pages.filter((page) => page.slug === slug)),
  ])
}

/** The page that is generated from the OpenAPI document. */
export const REFERENCE = 'reference'
export const CHANGELOG = 'changelog'
export const SLUGS: readonly string[] = Object.values(GROUPS).flat()
export const INDEX = 'index'

export function findSourcePath(locale: string, slug: string): string | null {
  if (slug === INDEX || slug === REFERENCE) return null
  return `docs/guide/${locale}/${slug}.md`
}
