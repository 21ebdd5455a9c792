import type { GuidePage } from '../../src/docs/markdown.ts'

export interface CodeBlock {
  lang: string
  text: string
  /** `file=shop.mjs`: the block is written to this file before the next block runs. */
  file: string | null
  /** `terminal=1`: the block is a program that keeps running in terminal 1, or the output of that terminal. */
  terminal: string | null
  /** `sample=…`: the block is a sample that exists in several languages. */
  isSample: boolean
  /** `needs=python3`: the block is run only if that command is installed. */
  needs: string | null
  /** `shape`: the values of this JSON are examples. A command prints the same fields with other values. */
  isShape: boolean
  line: number
}

export function codeBlocksOf({ markdown }: Pick<GuidePage, 'markdown'>): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { info: string; line: number; lines: string[] } | null = null
  for (const [index, line] of markdown.split('\n').entries()) {
    if (!line.startsWith('```')) open?.lines.push(line)
    else if (open === null) open = { info: line.slice(3).trim(), line: index + 1, lines: [] }
    else {
      blocks.push(toBlock(open.info, open.lines.join('\n'), open.line))
      open = null
    }
  }
  if (open) throw new Error(`The fence in line ${open.line} is never closed.`)
  return blocks
}

function toBlock(info: string, text: string, line: number): CodeBlock {
  const [lang = '', ...attributes] = info.split(' ')
  const valueOf = (name: string) =>
    attributes.find((mark) => mark.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
  return {
    lang,
    text,
    line,
    file: valueOf('file'),
    terminal: valueOf('terminal'),
    isSample: valueOf('sample') !== null,
    needs: valueOf('needs'),
    isShape: attributes.includes('shape'),
  }
}

/** Example values on the pages, and what a command may print in their place. */
const EXAMPLES: readonly (readonly [example: RegExp, printed: string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '[\\da-f-]{36}'],
  [/(?<=\b(?:msg|re|evt)_)[\da-z]{20,}/g, '[\\da-z]+'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '[\\dT:.-]{23}Z'],
  [/(?<="id":")[\da-z]{24}(?=")/g, '[\\da-z]{24}'],
  [/(?<=sig=)[\w-]{43}/g, '[\\w-]{43}'],
  [/(?<="(?:requestId|reference|next|token|merchant|apiUrl|secret)":")[^"…]+/g, '[^"]+'],
  [/(?<="redirectUrl":")[^"?…]+/g, '[^"?]+'],
  [/\b\d+(?= ms\b)/g, '\\d+'],
]

/**
 * While the text around an example is escaped, a private-use character replaces the example. No page has such
 * characters.
 */
const MARK_START = 0xe0_00

function toPattern(text: string): string {
  const toMark = (index: number) => String.fromCodePoint(MARK_START + index)
  const marked = EXAMPLES.reduce((all, [example], index) => all.replaceAll(example, toMark(index)), text)
  const escaped = marked
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('…', String.raw`[\s\S]*?`)
  return EXAMPLES.reduce((all, [, printed], index) => all.replaceAll(toMark(index), () => printed), escaped)
}

/**
 * In the guide, `…` matches any text, and an example value matches any value of its kind. With `isPart` the output may
 * contain more text.
 */
export function isAsShown(shown: string, printed: string, isPart = false): boolean {
  const text = shown.trim()
  // The guide shows JSON in several lines, and commands print one line.
  const asPrinted = text.startsWith('{\n') ? text.replaceAll(/\n\s*/g, '').replaceAll('": ', '":') : text
  const pattern = toPattern(asPrinted)
  return new RegExp(isPart ? pattern : `^${pattern}$`).test(printed.trim())
}

/**
 * Whether printed JSON has the fields and types that the guide shows. Null fits every type. If the guide shows a line
 * with only `…`, the printed JSON may have more fields.
 */
export function hasSameShape(shown: string, printed: string): boolean {
  const isCut = /^\s*…,?$/m.test(shown)
  const withoutEllipses = shown.replaceAll(/…,/g, '').replaceAll(/,?\s*…(?=\s*[\]}])/g, '')
  return isLike(JSON.parse(withoutEllipses), JSON.parse(printed), isCut)
}

function isLike(shown: unknown, printed: unknown, isCut: boolean): boolean {
  if (shown === null || printed === null) return true
  if (Array.isArray(shown) && Array.isArray(printed))
    return shown.every((item) => printed.length === 0 || printed.some((one) => isLike(item, one, isCut)))
  if (typeof shown !== 'object' || typeof printed !== 'object') return typeof shown === typeof printed
  const printedFields = new Map<string, unknown>(Object.entries(printed))
  const fields = Object.entries(shown)
  return (
    (isCut || fields.length === printedFields.size) &&
    fields.every(([name, value]) => printedFields.has(name) && isLike(value, printedFields.get(name), isCut))
  )
}
