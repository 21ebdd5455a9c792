// Finds visible words that do not come from the catalogue: text between tags, attributes that are shown or read aloud, and
// strings such as subjects and titles. The rule may miss a word, but it does not report markup.
import { baseName, codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'
import { matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const PAGE_OR_MAIL = /page|view|mail/
/** Stands for a substitution. No text contains this character. */
const HOLE = '\u2400'

/** Words that are the same in every language. */
const UNTRANSLATED = new Set(['Pazar', 'ms'])

const TWO_WORDS = /\p{L}{2,}\s+\p{L}{2,}/u
const THREE_WORDS = /\p{L}{2,}\s+\p{L}{2,}\s+\p{L}{2,}/u
const ONE_WORD = /^\s*(\p{L}\p{Ll}+)[\s.:!?…]*$/u
const SHOWN_ATTRIBUTE = /\s(?:aria-label|title|placeholder|alt)=(?:"([^"]*)"|'([^']*)')/g
const NOT_PROSE = /<!--[\s\S]*?-->|<(style|script|code|pre|kbd|svg)\b[\s\S]*?<\/\1>/g
const TAG = /<[^>]*>/g
const SHOWN_KEYS = new Set(['subject', 'title', 'heading', 'label', 'placeholder', 'text'])

export function checkVisibleWords(files: readonly SourceFile[]): Finding[] {
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, 'server/src'))
    .flatMap((file) => {
      const renders = PAGE_OR_MAIL.test(baseName(file.path))
      return file.tokens.flatMap((token, index) => {
        if (token.kind !== 'template' && token.kind !== 'string') return []
        const tagged = token.kind === 'template' && matchesAt(file.tokens, index - 1, 'html')
        const found = [
          ...(tagged || renders ? findInMarkup(token.text, tagged) : []),
          ...(renders && isShownValue(file.tokens, index) ? [{ words: token.text, offset: 0 }] : []),
        ]
        return found.map(({ words, offset }) => ({
          file: file.path,
          line: token.line + token.text.slice(0, offset).split('\n').length - 1,
          text: `these words belong in the catalogue: ${shorten(words)}`,
        }))
      })
    })
}

function findInMarkup(markup: string, tagged: boolean): { words: string; offset: number }[] {
  // Substitutions, comments, styles and code are replaced by the same number of characters, so that offsets stay correct.
  const plain = blank(blank(markup, /\$\{\s*\}/g, HOLE), NOT_PROSE, ' ')
  if (!/<\/?[a-z]/i.test(plain)) {
    // A fragment without tags is either prose or a list of attributes.
    return tagged && THREE_WORDS.test(plain) && !plain.includes('=') ? [{ words: plain, offset: 0 }] : []
  }
  const attributes = [...plain.matchAll(SHOWN_ATTRIBUTE)].map((found) => ({
    words: found[1] ?? found[2] ?? '',
    offset: found.index,
  }))
  return [
    ...attributes.filter(({ words }) => /\p{L}{2,}/u.test(words) && !UNTRANSLATED.has(words.trim())),
    ...toTextNodes(plain).filter(({ words }) => isProse(words)),
  ]
}

function toTextNodes(plain: string): { words: string; offset: number }[] {
  // A template may begin inside a tag that another template opened. That part is not text.
  const close = plain.indexOf('>')
  let position = close < plain.indexOf('<') ? close + 1 : 0
  const nodes: { words: string; offset: number }[] = []
  for (const tag of plain.matchAll(TAG)) {
    nodes.push({ words: plain.slice(position, tag.index), offset: position })
    position = tag.index + tag[0].length
  }
  // The rest after the last tag is text, up to a tag that continues in another template.
  nodes.push({ words: plain.slice(position).replace(/<[\s\S]*$/, ''), offset: position })
  return nodes
}

function isProse(words: string): boolean {
  if (TWO_WORDS.test(words)) return true
  const onlyWord = ONE_WORD.exec(words.replaceAll(HOLE, ' '))?.[1]
  return onlyWord !== undefined && !UNTRANSLATED.has(onlyWord)
}

function isShownValue(tokens: readonly Token[], index: number): boolean {
  const key = tokens[index - 2]
  const value = tokens[index]?.text ?? ''
  if (!matchesAt(tokens, index - 1, ':') || key?.kind !== 'word' || !SHOWN_KEYS.has(key.text)) return false
  // In a type such as `title: 'sign in' | 'sign up'` nothing is shown.
  return TWO_WORDS.test(value) && !value.includes('<') && !matchesAt(tokens, index + 1, '|')
}

function blank(text: string, pattern: RegExp, filler: string): string {
  return text.replace(pattern, (found) => found.replace(/[^\n]/g, filler))
}

function shorten(words: string): string {
  return words.replaceAll(HOLE, ' ').replace(/\s+/g, ' ').trim().slice(0, 60)
}
