// The code blocks of a guide page, with the attributes of their fences.
import type { GuidePage } from '../../src/docs/markdown.ts'

export interface CodeBlock {
  lang: string
  text: string
  /** `file=shop.mjs`: the block is written to this file before the next block runs. */
  file: string | null
  /** `terminal=1`: the block is a program that keeps running in terminal 1, or the output of that terminal. */
  terminal: string | null
  /** The block is one of the samples in several languages, which have separate tests. */
  isSample: boolean
  /** `needs=python3`: the block is run only if that command is installed. */
  needs: string | null
  /** The line number, for error messages. */
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
  }
}

/**
 * Whether a command's output is the one that the guide shows; `…` matches any text. With `isPart` it may contain more. JSON
 * that the guide shows in several lines is printed in one.
 */
export function isAsShown(shown: string, got: string, isPart = false): boolean {
  const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const text = shown.trim()
  // `…` may stand for whole fields, so the text need not be valid JSON.
  const printed = text.startsWith('{\n') ? text.replaceAll(/\n\s*/g, '').replaceAll('": ', '":') : text
  const pattern = printed
    .split('…')
    .map(escape)
    .join(String.raw`[\s\S]*?`)
  return new RegExp(isPart ? pattern : `^${pattern}$`).test(got.trim())
}
