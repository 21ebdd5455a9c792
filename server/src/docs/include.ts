// Includes other files in a page: samples and programs, which have their own tests, and the changelog. So no code is
// written twice.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cutSample, SAMPLE_LANGUAGES, SAMPLE_NAMES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'

const NAMES = SAMPLE_NAMES.join('|')
/** `<!-- samples: verify -->` is that sample in every language, `<!-- sample: php/verify -->` in one. */
const SAMPLES = new RegExp(`^<!-- samples: (${NAMES}) -->$`, 'gm')
const ONE_SAMPLE = new RegExp(`^<!-- sample: ([a-z]+)/(${NAMES}) -->$`, 'gm')
/** `<!-- files: listen examples/listen/php/listen.php … -->` are whole programs, one per language. */
const FILES = /^<!-- files: ([a-z]+) (.+) -->$/gm
const CHANGES = /^<!-- changelog -->$/gm

/** Names of code fences that differ from the language's id. */
const FENCES: Readonly<Partial<Record<SampleLanguage, string>>> = { typescript: 'ts', shell: 'sh' }

export function includeParts(markdown: string, root: string): string {
  return markdown
    .replaceAll(SAMPLES, (_line, name: SampleName) =>
      SAMPLE_LANGUAGES.map(({ id }) => readSample(root, id, name, ` sample=${name}`)).join('\n\n'),
    )
    .replaceAll(ONE_SAMPLE, (line, language: string, name: SampleName) => {
      const known = SAMPLE_LANGUAGES.find(({ id }) => id === language)
      if (!known) throw new Error(`Unknown language: ${line}`)
      return readSample(root, known.id, name, '')
    })
    .replaceAll(FILES, (_line, group: string, files: string) =>
      files
        .split(' ')
        .map((file) => readFile(root, group, file))
        .join('\n\n'),
    )
    .replaceAll(CHANGES, () => readChanges(root))
}

function readSample(root: string, language: SampleLanguage, name: SampleName, mark: string): string {
  const text = readFileSync(path.join(root, toSamplePath(language, name)), 'utf8')
  return `\`\`\`${FENCES[language] ?? language}${mark}\n${cutSample(text)}\`\`\``
}

/** A whole file; `file=` is the name to save it under. */
function readFile(root: string, group: string, file: string): string {
  const ending = path.extname(file).slice(1)
  const known = SAMPLE_LANGUAGES.find((one) => one.ending === ending)
  if (!known) throw new Error(`Unknown language: ${file}`)
  const text = readFileSync(path.join(root, file), 'utf8').trimEnd()
  return `\`\`\`${FENCES[known.id] ?? known.id} sample=${group} file=${path.basename(file)}\n${text}\n\`\`\``
}

/** Only the entries: the page has its own title and introduction. */
function readChanges(root: string): string {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  return text.slice(text.indexOf('\n## ') + 1).trim()
}
