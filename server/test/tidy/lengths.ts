// Finds files over 250 lines and functions over 80, which usually do two things. A longer file or function is allowed
// if a comment in the file, or just above the function, begins with "Why this is long:" and gives the reason.
import { isCode } from './source-file.ts'
import type { Finding, Rule, SourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const FILE_LINES_MAX = 250
const FUNCTION_LINES_MAX = 80

const REASON = /^(?:\/\/|\/\*\*?)\s*Why this is long: \S/
/** How many lines the comment may be above `function` or `=>`: the parameters before `=>` may take several lines. */
const REASON_ABOVE_MAX = 4

export const checkLengths: Rule = (files) => [...findLongFiles(files), ...findLongFunctions(files)]

export function findLongFiles(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text, comments }) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    if (!isCode(path) || lines <= FILE_LINES_MAX || comments.some(({ text }) => REASON.test(text))) return []
    return [{ file: path, line: lines, text: `${lines} lines` }]
  })
}

export function findLongFunctions(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, tokens, comments }) => {
    const reasons = comments.filter(({ text }) => REASON.test(text))
    return tokens.flatMap((token, index) => {
      const open = bodyOf(tokens, index)
      if (open === null) return []
      const lines = (tokens[findClosingIndex(tokens, open)]?.line ?? token.line) - token.line + 1
      const isExplained = reasons.some(
        ({ line }) => line < token.line && line >= token.line - REASON_ABOVE_MAX,
      )
      if (lines <= FUNCTION_LINES_MAX || isExplained) return []
      return [{ file: path, line: token.line, text: `a function of ${lines} lines` }]
    })
  })
}

const BEFORE_A_TYPE_LITERAL = new Set([':', '|', '&', '=>', 'is', 'extends', '?', 'readonly'])

/**
 * The index of the brace that opens the body of the function or arrow at `index`. A return type before the body may
 * have braces too, which are recognized by the token before them. Methods are not checked.
 */
export function bodyOf(tokens: readonly Token[], index: number): number | null {
  if (matchesAt(tokens, index, '=>')) return matchesAt(tokens, index + 1, '{') ? index + 1 : null
  if (!matchesAt(tokens, index, 'function') || matchesAt(tokens, index - 1, '.')) return null
  for (let i = index + 1; i < tokens.length; i += 1) {
    const token = tokens[i]
    if (token?.kind !== 'punct') continue
    if (token.text === '{' && !BEFORE_A_TYPE_LITERAL.has(tokens[i - 1]?.text ?? '')) return i
    if (token.text === ';') return null
    if ('([{<'.includes(token.text)) i = findClosingIndex(tokens, i)
  }
  return null
}
