// The first page of the docs as Markdown, and /llms.txt. Both list every page with its first paragraph.
import { catalogue, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { GuidePage } from './markdown.ts'
import { toGroups } from './pages.ts'

export function toIndexMarkdown(pages: readonly GuidePage[], locale: Locale): string {
  const words = catalogue(locale).docs
  const groups = toGroups(pages).flatMap(([name, ofGroup]) => [
    `## ${words.groups[name]}`,
    ...ofGroup.map(({ slug, title, summary }) => `- [${title}](${slug}.md)\n\n  ${summary}`),
  ])
  return [`# ${words.title}`, words.intro, ...groups].join('\n\n')
}

/** In the format of llmstxt.org: a title, a sentence, and lists of links to Markdown. */
export function toLlmsText(pagesOf: (locale: Locale) => readonly GuidePage[], baseUrl: string): string {
  const lists = LOCALES.toReversed().map((locale) => {
    const links = pagesOf(locale).map(
      ({ slug, title, summary }) => `- [${title}](${baseUrl}/${locale}/docs/${slug}.md): ${summary}`,
    )
    return [`## ${LOCALE_LABEL[locale]}`, '', ...links].join('\n')
  })
  const { title, intro, openapi } = catalogue('en').docs
  return [
    `# Pazar: ${title}`,
    `> ${intro}`,
    ...lists,
    `## OpenAPI\n\n- [${openapi}](${baseUrl}/openapi.json)`,
    '',
  ].join('\n\n')
}
