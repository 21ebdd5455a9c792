// The code of a guide page, block by block, with what its fence says about it.
import type { GuidePage } from '../../src/docs/markdown.ts'

export interface CodeBlock {
  lang: string
  text: string
  /** `file=shop.mjs`: written under this name before what follows. */
  file: string | null
  /** `terminal=1`: a program that goes on running, or what it says. */
  terminal: string | null
  /** One of the samples in several languages, which have tests of their own. */
  isSample: boolean
  /** `needs=python3`: run where that command is. */
  needs: string | null
  /** For finding it when it is wrong. */
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
  const [lang = '', ...marks] = info.split(' ')
  const valueOf = (name: string) =>
    marks.find((mark) => mark.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
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

/** Whether a text is what the guide says it is; `…` stands for anything. */
export function isAsShown(shown: string, got: string, isPart = false): boolean {
  const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const pattern = shown
    .trim()
    .split('…')
    .map(escape)
    .join(String.raw`[\s\S]*?`)
  return new RegExp(isPart ? pattern : `^${pattern}$`).test(got.trim())
}
