// Finds words in the portal's markup. Text between tags, and attributes that are shown or read aloud, must come from
// the catalogue as `{words}`. Only symbols such as dots, dashes and arrows may be written between tags.
import type { Finding, SourceFile } from './source-file.ts'

/** Words between a tag and the next tag or `{`, without characters that are common in code. */
const TEXT = /(?<![=\-<])>([^<>{}()=;|&?]*\p{L}{2,}[^<>{}()=;|&?]*)(?=<[/a-zA-Z]|\{)/gu
const ATTRIBUTE = /\s(?:aria-label|title|placeholder|alt|label|hint)="([^"]*\p{L}{2,}[^"]*)"/gu

export function checkJsxWords(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text, comments }) => {
      const plain = blankComments(text, comments)
      return [...plain.matchAll(TEXT), ...plain.matchAll(ATTRIBUTE)]
        .filter((found) => !isCodeBetweenTypes(found[1] ?? ''))
        .map((found) => ({
          file: path,
          line: plain.slice(0, found.index + found[0].indexOf(found[1] ?? '')).split('\n').length,
          text: `these words belong in the catalogue: ${(found[1] ?? '').trim().slice(0, 60)}`,
        }))
    })
}

/** Whether the text is code, such as the rest of a line after `Array<string>`, and not prose. */
function isCodeBetweenTypes(words: string): boolean {
  return /[:[\]'`$]|^\s*(?:const|return|export|function|import|extends|from|as)\b/.test(words)
}

function blankComments(text: string, comments: SourceFile['comments']): string {
  let plain = text
  for (const { start, text: comment } of comments) {
    plain = plain.slice(0, start) + comment.replaceAll(/[^\n]/g, ' ') + plain.slice(start + comment.length)
  }
  return plain
}
