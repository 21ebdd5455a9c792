// Finds unusual words in identifiers, comments, texts, tests and docs, and names the common word to write instead.
import { inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

const BANNED: readonly { word: RegExp; write: string }[] = [
  { word: /\banew\b/, write: 'again' },
  { word: /\bwhoever\b/, write: 'anyone who, the caller, the client' },
  { word: /\bmend(?:s|ed|ing)?\b/, write: 'fix' },
  { word: /\bremed(?:y|ies)\b/, write: 'fix' },
  { word: /\bheal(?:s|ed|ing)?\b/, write: 'recover' },
  { word: /\buntold\b/, write: 'not notified' },
  { word: /\bunheard\b/, write: 'without a response' },
  { word: /\bwish(?:es|ed|ing)?\b/, write: 'request, option' },
  { word: /\bat hand\b/, write: 'available' },
  { word: /\bleaf(?:s|ed|ing)? through\b/, write: 'page through' },
]

/** These names are stored or sent, so they are allowed. */
const STORED_NAMES = /\b(?:deliveries_healed|healed_at|exhausted_untold)\b/g

function isExempt(path: string): boolean {
  // A landed migration is never edited, and the files of this rule must contain the banned words.
  return inFolder(path, 'server/migrations') || path.startsWith('server/test/tidy/banned-words')
}

export function checkBannedWords(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !isExempt(path) && !path.endsWith('package-lock.json'))
    .flatMap(({ path, text }) => [
      ...findIn(path, path, 1),
      ...text.split('\n').flatMap((line, index) => findIn(path, line, index + 1)),
    ])
}

function findIn(file: string, text: string, line: number): Finding[] {
  const words = toWords(text.replaceAll(STORED_NAMES, ''))
  return BANNED.flatMap(({ word, write }) => {
    const found = word.exec(words)
    return found === null ? [] : [{ file, line, text: `"${found[0]}": write ${write}` }]
  })
}

function toWords(text: string): string {
  return text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
}
