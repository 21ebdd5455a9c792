// Puts samples and whole programs into a page of the guide, in place of comments such as `<!-- samples: verify -->`. The
// samples and programs are files with their own tests.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cutSample, SAMPLE_LANGUAGES, SAMPLE_NAMES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'

const NAMES = SAMPLE_NAMES.join('|')
/** `<!-- samples: verify -->` includes that sample in every language, `<!-- sample: php/verify -->` in one. */
const SAMPLES = new RegExp(`^<!-- samples: (${NAMES}) -->$`, 'gm')
const ONE_SAMPLE = new RegExp(`^<!-- sample: ([a-z]+)/(${NAMES}) -->$`, 'gm')
/** `<!-- files: listen examples/listen/php/listen.php … -->` includes whole programs, one per language. */
const FILES = /^<!-- files: ([a-z]+) (.+) -->$/gm

const FENCES: Readonly<Partial<Record<SampleLanguage, string>>> = { typescript: 'ts', shell: 'sh' }

export function includeParts(markdown: string, root: string): string {
  return markdown
    .replaceAll(SAMPLES, (_line, name: SampleName) =>
      SAMPLE_LANGUAGES.map(({ id }) => readSample(root, id, name, ` sample=${name}`)).join('\n\n'),
    )
    .replaceAll(ONE_SAMPLE, (line, language: string, name: SampleName) => {
      const found = SAMPLE_LANGUAGES.find(({ id }) => id === language)
      if (!found) throw new Error(`Unknown language: ${line}`)
      return readSample(root, found.id, name, '')
    })
    .replaceAll(FILES, (_line, group: string, files: string) =>
      files
        .split(' ')
        .map((file) => readFile(root, group, file))
        .join('\n\n'),
    )
}

function readSample(root: string, language: SampleLanguage, name: SampleName, attribute: string): string {
  const text = readFileSync(path.join(root, toSamplePath(language, name)), 'utf8')
  return `\`\`\`${FENCES[language] ?? language}${attribute}\n${cutSample(text)}\`\`\``
}

function readFile(root: string, group: string, file: string): string {
  const ending = path.extname(file).slice(1)
  const language = SAMPLE_LANGUAGES.find((one) => one.ending === ending)
  if (!language) throw new Error(`Unknown language: ${file}`)
  const text = readFileSync(path.join(root, file), 'utf8').trimEnd()
  return `\`\`\`${FENCES[language.id] ?? language.id} sample=${group} file=${path.basename(file)}\n${text}\n\`\`\``
}
