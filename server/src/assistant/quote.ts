// Writes the answer without a model: the best matching section of the documentation, with the caller's project in examples.
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { fillProject } from '../docs/fill.ts'
import type { Section } from '../docs/markdown.ts'
import type { Hit } from '../docs/search.ts'
import type { Project } from '../projects/project.ts'

const QUOTE_CHARS_MAX = 2_500

function* blocksOf(markdown: string): Generator<string> {
  let block: string[] = []
  let inFence = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inFence = !inFence
    if (line === '' && !inFence) {
      if (block.length > 0) yield block.join('\n')
      block = []
    } else block.push(line)
  }
  if (block.length > 0) yield block.join('\n')
}

function toPlainMarkdown(markdown: string): string {
  return markdown.replaceAll(/<!--[\s\S]*?-->\n*/g, '').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}

/** Returns the first blocks that fit. The first block is always returned, cut at twice the limit. */
export function cutSection({ markdown }: Section, charsMax: number): string {
  const blocks: string[] = []
  let length = 0
  for (const block of blocksOf(toPlainMarkdown(markdown))) {
    length += block.length
    if (length > charsMax && blocks.length > 0) break
    blocks.push(block)
  }
  return blocks.join('\n\n').slice(0, charsMax * 2)
}

export function quote(hit: Hit | null, isAnswer: boolean, locale: Locale, project: Project | null): string {
  const words = catalogue(locale).assistant
  if (!hit) return words.nothing
  const { page, section } = hit
  const title = section.anchor === null ? page.title : `${page.title} › ${section.heading}`
  const text = fillProject(cutSection(section, QUOTE_CHARS_MAX), project)
  return [isAnswer ? words.from(title) : words.closest(title), text, words.more]
    .filter((part) => part !== '')
    .join('\n\n')
}
