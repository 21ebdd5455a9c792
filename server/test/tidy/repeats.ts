// Finds ten lines in a row that occur twice in the repository. Indentation, blank lines, imports and lines without a letter
// or digit (closing brackets) are ignored.
import { isCode } from './source-file.ts'
import type { Finding, Rule } from './source-file.ts'

const SAME_LINES_MIN = 10

const EXCEPTIONS: readonly { folder: string; reason: string }[] = [
  {
    folder: 'server/migrations/',
    reason: 'a landed migration is never edited, so a later migration repeats parts of it',
  },
  { folder: 'examples/verify/', reason: 'merchants copy a sample as one file' },
]

interface Line {
  text: string
  number: number
}

interface Place {
  file: string
  /** The position of the line in the file, without counting ignored lines. */
  index: number
  number: number
}

export const checkRepeats: Rule = (files) => {
  const checked = files
    .filter(({ path }) => isChecked(path))
    .map(({ path, text }) => ({ path, lines: toLines(text) }))
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { text } of checked.flatMap(({ lines }) => lines)) (seen.has(text) ? repeated : seen).add(text)
  const firstPlaces = new Map<string, Place>()
  return checked.flatMap(({ path, lines }) => findRepeats(path, lines, repeated, firstPlaces))
}

function isChecked(path: string): boolean {
  return (
    (isCode(path) || /\.(?:css|html|sh|sql)$/.test(path)) &&
    !EXCEPTIONS.some(({ folder }) => path.startsWith(folder))
  )
}

/**
 * A block of repeated lines is one finding, even if it is long. Two equal blocks of one file that overlap are no finding.
 * They occur where the same few lines follow each other many times. For speed, a block is compared only if each of its
 * lines occurs more than once.
 */
function findRepeats(
  file: string,
  lines: readonly Line[],
  repeated: ReadonlySet<string>,
  firstPlaces: Map<string, Place>,
): Finding[] {
  const findings: Finding[] = []
  let repeatedInRow = 0
  let previous: Place | null = null
  for (const [last, line] of lines.entries()) {
    repeatedInRow = repeated.has(line.text) ? repeatedInRow + 1 : 0
    if (repeatedInRow < SAME_LINES_MIN) {
      previous = null
      continue
    }
    const index = last + 1 - SAME_LINES_MIN
    const run = lines.slice(index, last + 1)
    const here: Place = { file, index, number: run[0]?.number ?? line.number }
    const key = run.map(({ text }) => text).join('\n')
    const first = firstPlaces.get(key)
    if (first === undefined) firstPlaces.set(key, here)
    const isRepeat = first !== undefined && (first.file !== file || index - first.index >= SAME_LINES_MIN)
    const isSameRun = isRepeat && previous?.file === first.file && previous.index === first.index - 1
    if (isRepeat && !isSameRun)
      findings.push({
        file,
        line: here.number,
        text: `these lines are also at ${first.file}:${first.number}`,
      })
    previous = isRepeat ? first : null
  }
  return findings
}

function toLines(text: string): Line[] {
  const withoutImports = text.replace(IMPORT, (statement) => statement.replace(/[^\n]/g, ''))
  return withoutImports
    .split('\n')
    .map((line, index) => ({ text: line.trim().replace(/\s+/g, ' '), number: index + 1 }))
    .filter((line) => /[\p{L}\p{N}]/u.test(line.text))
}

const IMPORT = /^(?:import|export)\b(?:\s+type\b)?\s*(?:[\w*{][\w\s*,{}]*?\sfrom\s*)?'[^'\n]*'/gm
