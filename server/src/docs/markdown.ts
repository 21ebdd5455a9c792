// Parses one page of the guide from Markdown into HTML, and into the sections that the search and the assistant quote. The
// Markdown is from this repository, so it is not sanitized. The reader's own values are filled in later (fill.ts).
import { Marked } from 'marked'
import type { Token, Tokens } from 'marked'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { escapeHtml } from '../lib/html.ts'
import { toAnchor } from './anchor.ts'
import { findLanguage, toBlockAttributes } from './code-label.ts'
import { renderComment } from './comments.ts'
import { highlight, toLines } from './highlight.ts'
import { toRouteColumns } from './route-columns.ts'
import { toTable } from './table.ts'

export interface Section {
  /** Null for the text between the title and the first heading. */
  anchor: string | null
  heading: string
  level: number
  markdown: string
  text: string
  code: string
  prose: string
  /** The rows of its tables, without their headers, for the excerpt of a search result. */
  rows: readonly string[]
  /** Search words that the section itself does not contain: `<!-- keywords: cents -->`. */
  keywords: string
  /** Questions of readers that the section answers: `<!-- questions: Can I …? How do I …? -->`. They are not shown. */
  questions: string
}

export interface ParsedPage {
  title: string
  summary: string
  html: string
  sections: readonly Section[]
}

export interface GuidePage extends ParsedPage {
  slug: string
  locale: Locale
  markdown: string
}

function toRowText(cells: readonly Tokens.TableCell[]): string {
  return cells
    .map((cell) => toPlain(cell.tokens))
    .filter((text) => text !== '')
    .join(' · ')
}

function rowsOf(token: Token): string[] {
  return token.type === 'table' ? (token as Tokens.Table).rows.map(toRowText) : []
}

function toPlain(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'code' || token.type === 'html') return ''
      if (token.type === 'table')
        return [toRowText((token as Tokens.Table).header), ...rowsOf(token)].join('; ')
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => toPlain(item.tokens)).join(' ')
      if ('tokens' in token && token.tokens) return toPlain(token.tokens)
      return 'text' in token ? String(token.text) : ' '
    })
    .join(' ')
    .replaceAll(/[ \n]+/g, ' ')
    .replaceAll(/ ([.,:;!?)“”’])(?!\w)/g, '$1')
    .replaceAll('( ', '(')
    .trim()
}

function codeOf(tokens: readonly Token[]): string {
  // People do not search for the values of a sample response.
  const isCode = (token: Token): token is Tokens.Code =>
    token.type === 'code' && token.lang !== 'json example'
  return tokens
    .filter(isCode)
    .map(({ text }) => text)
    .join('\n')
}

const KEYWORDS = /<!-{2} keywords: (.+?)\s+-{2}>/s
const QUESTIONS = /<!-{2} questions: (.+?)\s+-{2}>/s

/** In a sentence, code of up to this length is not broken: `--custom-id` in two lines would read as two words. */
const UNBROKEN_MAX = 28

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE)(?= \/)/

/** A heading whose anchor is not made from its text: `## 17 November 2026 <!-- id: 2026-11-17 -->`. */
const HEADING_ID = /<!-{2} id: (.+?) -{2}>/

function commentOf(tokens: readonly Token[], kind: RegExp): string {
  return tokens.flatMap((token) => (token.type === 'html' ? (kind.exec(token.raw)?.[1] ?? []) : [])).join(' ')
}

/** A line that only introduces a table or lists error codes. */
const LABEL = /^\*\*[^*]+\*\*(?:\n*$| `\d{3}`|:\s+\d{3} )/

function anchorOf(heading: readonly Token[]): string {
  return commentOf(heading, HEADING_ID) || toAnchor(toPlain(heading))
}

/** Pages link to each other as `callbacks.md#retries`, which also works in the repository and between the Markdown pages. */
function toDocsUrl(href: string, locale: Locale): string {
  const found = /^([a-z-]+)\.md(#.*)?$/.exec(href)
  if (!found) return href
  const page = found[1] === 'index' ? '' : `/${found[1]}`
  return `/${locale}/docs${page}${found[2] ?? ''}`
}

/** A browser keeps at most one sample of each group open. */
function toSample(group: string, lang: string, block: string, isFirst: boolean): string {
  const open = isFirst ? ' open' : ''
  const { id = lang, name = lang } = findLanguage(lang) ?? {}
  return `<details class="sample" name="${group}" id="${group}-${lang}" data-lang="${id}"${open}><summary>${name}</summary>${block}</details>`
}

/** Samples that follow each other. The code inside is escaped, so `</details>` is never part of it. */
const SAMPLE_GROUP = /(?:<details class="sample"[\s\S]*?<\/details>\n)+/g

function createMarked(locale: Locale): Marked {
  let lastSample: string | null = null
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens).trim()
        lastSample = null
        if (depth === 1) return `<h1>${inner}</h1>\n`
        const anchor = anchorOf(tokens)
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const [name = '', ...attributes] = lang.split(' ')
        const group = attributes.find((one) => one.startsWith('sample='))?.slice('sample='.length)
        const code = highlight(text, name)
        // Only samples wrap after slashes: in other blocks, fill.ts would not find a URL with a <wbr> in it.
        const shown =
          group === undefined
            ? code
                .replaceAll(/(?<=[\w…])&amp;(?=\w+=)/g, '<wbr>$&')
                .replaceAll(/(?<=[A-Z_]{4})=(?=\w)|,(?=<span|&quot;)/g, '$&<wbr>')
            : code.replaceAll(/[(,](?=[^\s<])|\)(?=\.\w)|(?<=[\w}])\/(?=\w)/g, '$&<wbr>')
        const block = `<pre${toBlockAttributes(name, attributes, locale)}><code class="${name}">${toLines(shown)}</code></pre>`
        if (attributes.includes('example')) return `<div class="example">${block}</div>\n`
        if (group === undefined) return `${block}\n`
        const isFirst = lastSample !== group
        lastSample = group
        return `${toSample(group, name, block, isFirst)}\n`
      },
      // Routes and paths of fields wrap between their parts, not inside a word.
      codespan: ({ text }) =>
        `<code${text.length > UNBROKEN_MAX ? ' class="long"' : ''}>${escapeHtml(text)
          .replaceAll(/(?<=[\w}\]])[/.](?=[\w{])/g, text.length > 20 ? '$&<wbr>' : '$&')
          .replace(METHOD, '<b>$&</b>')}</code>`,
      link({ href, tokens }) {
        return `<a href="${escapeHtml(toDocsUrl(href, locale))}">${this.parser.parseInline(tokens)}</a>`
      },
      table({ header, rows }) {
        return toTable(header, rows, (cell) => this.parser.parseInline(cell.tokens))
      },
      html: ({ raw }) => renderComment(raw),
    },
  })
}

/** JSON directly below a command is its response. */
function markResponses(tokens: readonly Token[]): void {
  const shown = tokens.filter(({ type }) => type !== 'space')
  for (const [at, token] of shown.entries()) {
    const before = shown[at - 1]
    if (
      token.type === 'code' &&
      /^json(?: shape)?(?: needs=\w+)?$/.test(token.lang ?? '') &&
      before?.type === 'code' &&
      before.lang?.startsWith('sh')
    )
      token.lang = 'json response'
  }
}

/** Matches `**Action needed: live links …**` in the changelog, and `**Action needed:**` above its newest entry. */
function toActionNeeded(locale: Locale): RegExp {
  return new RegExp(`<strong>${catalogue(locale).docs.actionNeeded}:( \\w)?`, 'g')
}

function toBadge(locale: Locale, first = ''): string {
  return `<strong><span class="action">${catalogue(locale).docs.actionNeeded}</span>${first.toUpperCase()}`
}

export function parsePage(markdown: string, locale: Locale): ParsedPage {
  const marked = createMarked(locale)
  const tokens = marked.lexer(markdown)
  markResponses(tokens)
  const sections: Section[] = []
  let sectionTokens: Token[] = []
  let heading: Tokens.Heading | null = null
  const closeSection = () => {
    if (heading) {
      const isTitle = heading.depth === 1
      sections.push({
        anchor: isTitle ? null : anchorOf(heading.tokens),
        heading: toPlain(heading.tokens),
        level: heading.depth,
        markdown: sectionTokens
          .map((token) => token.raw)
          .join('')
          .trim(),
        text: toPlain(sectionTokens),
        code: codeOf(sectionTokens),
        prose: toPlain(sectionTokens.filter(({ type, raw }) => type !== 'table' && !LABEL.test(raw))),
        rows: sectionTokens.flatMap(rowsOf),
        keywords: commentOf(sectionTokens, KEYWORDS),
        questions: commentOf(sectionTokens, QUESTIONS),
      })
    }
    sectionTokens = []
  }
  for (const token of tokens) {
    if (token.type === 'heading') {
      closeSection()
      heading = token as Tokens.Heading
    } else sectionTokens.push(token)
  }
  closeSection()
  const first = tokens.find((token) => token.type === 'paragraph')
  const html = toRouteColumns(marked.parser(tokens))
    .replaceAll(SAMPLE_GROUP, (samples) => `<div class="tabs">${samples}</div>\n`)
    .replaceAll(/<!--for ([a-z]+)--><p>/g, '<p data-for="$1">')
    .replaceAll(toActionNeeded(locale), (_lead, first: string) => toBadge(locale, first))
  return {
    title: sections[0]?.heading ?? '',
    summary: first ? toPlain([first]) : '',
    html,
    sections,
  }
}
