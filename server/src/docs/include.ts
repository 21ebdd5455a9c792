// Puts into a page what is kept elsewhere: the verification samples that the tests run, and the changelog. Nothing of
// either is typed twice.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cutSample, SAMPLE_LANGUAGES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'

/** `<!-- samples: verify -->` is that sample in every language, `<!-- sample: php/verify -->` in one. */
const SAMPLES = /^<!-- samples: (verify|check) -->$/gm
const ONE_SAMPLE = /^<!-- sample: ([a-z]+)\/(verify|check) -->$/gm
const CHANGES = /^<!-- changelog -->$/gm

/** What a fence is called where it is not called as its language. */
const FENCES: Readonly<Partial<Record<SampleLanguage, string>>> = { typescript: 'ts', shell: 'sh' }

export function includeParts(markdown: string, root: string): string {
  return markdown
    .replaceAll(SAMPLES, (_line, name: SampleName) =>
      SAMPLE_LANGUAGES.map(({ id }) => readSample(root, id, name, ' sample')).join('\n\n'),
    )
    .replaceAll(ONE_SAMPLE, (line, language: string, name: SampleName) => {
      const known = SAMPLE_LANGUAGES.find(({ id }) => id === language)
      if (!known) throw new Error(`There is no such language: ${line}`)
      return readSample(root, known.id, name, '')
    })
    .replaceAll(CHANGES, () => readChanges(root))
}

function readSample(root: string, language: SampleLanguage, name: SampleName, mark: string): string {
  const text = readFileSync(path.join(root, toSamplePath(language, name)), 'utf8')
  return `\`\`\`${FENCES[language] ?? language}${mark}\n${cutSample(text)}\`\`\``
}

/** The entries alone: the page has a title and words of its own. */
function readChanges(root: string): string {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  return text.slice(text.indexOf('\n## ') + 1).trim()
}
