// Finds code that silences the compiler or hides a failure: `any`, double casts, comments that switch checks off, empty
// catches. Tests are checked too.
import { findTokens } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const BEFORE_A_TYPE = new Set(': < , | & = => [ ? as extends keyof readonly is satisfies'.split(' '))

function isAnyType(tokens: readonly Token[], index: number): boolean {
  if (!matchesAt(tokens, index, 'any')) return false
  const previous = tokens[index - 1]
  if (previous === undefined || previous.kind === 'string' || !BEFORE_A_TYPE.has(previous.text)) return false
  // After a comma, `any` is a type only inside `<>` or a tuple; otherwise it is a value with that name.
  if (previous.text === ',') return ['<', '['].includes(enclosingBracket(tokens, index))
  // Before `(` or `.`, `any` is the name of a function or an object. Before `:` it is a key, except after `?`.
  if (matchesAt(tokens, index + 1, '(') || matchesAt(tokens, index + 1, '.')) return false
  return !matchesAt(tokens, index + 1, ':') || previous.text === '?'
}

function enclosingBracket(tokens: readonly Token[], index: number): string {
  let depth = 0
  for (let i = index - 1; i >= 0; i -= 1) {
    const { kind, text } = tokens[i] ?? { kind: 'word', text: '' }
    if (kind !== 'punct') continue
    if ([')', ']', '}', '>'].includes(text)) depth += 1
    if (!['(', '[', '{', '${', '<'].includes(text)) continue
    if (depth === 0) return text
    depth -= 1
  }
  return ''
}

export function checkAny(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    findTokens(file, 'the type `any`: write the real type, or `unknown`', isAnyType),
  )
}

/** Finds `x as A as B`, and the same with parentheses: `(x as unknown) as B`. */
function isDoubleCast(tokens: readonly Token[], index: number): boolean {
  if (!matchesAt(tokens, index, 'as') || tokens[index + 1]?.kind !== 'word') return false
  let next = index + 2
  for (;;) {
    if (matchesAt(tokens, next, '.')) next += 2
    else if (matchesAt(tokens, next, '<') || matchesAt(tokens, next, '['))
      next = findClosingIndex(tokens, next) + 1
    else break
  }
  if (matchesAt(tokens, next, 'as')) return true
  const widened = ['unknown', 'any', 'never', 'object'].includes(tokens[index + 1]?.text ?? '')
  return widened && matchesAt(tokens, next, ')', 'as')
}

export function checkDoubleCasts(files: readonly SourceFile[]): Finding[] {
  const text = 'a double cast: parse the value, or fix the type it comes from'
  return files.flatMap((file) => findTokens(file, text, isDoubleCast))
}

export function checkSilencedTypes(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    file.comments
      .filter((comment) => /@ts-(?:ignore|nocheck)\b/.test(comment.text))
      .map(({ line }) => ({ file: file.path, line, text: 'the compiler is silenced here: fix the type' })),
  )
}

/** The index of the brace that opens the body of the `catch` at `index`. Null: no `catch` clause is at `index`. */
function findCatchBody(tokens: readonly Token[], index: number): number | null {
  if (!matchesAt(tokens, index, 'catch') || matchesAt(tokens, index - 1, '.')) return null
  const open = matchesAt(tokens, index + 1, '(') ? findClosingIndex(tokens, index + 1) + 1 : index + 1
  return matchesAt(tokens, open, '{') ? open : null
}

/** Whether `.catch(() => {})` or `.catch(() => undefined)` begins at `index`. */
function dropsRejection(tokens: readonly Token[], index: number): boolean {
  if (!matchesAt(tokens, index, '.', 'catch', '(')) return false
  const args = index + 3
  const arrow = matchesAt(tokens, args, '(') ? findClosingIndex(tokens, args) + 1 : args + 1
  return matchesAt(tokens, arrow, '=>', '{', '}') || matchesAt(tokens, arrow, '=>', 'undefined')
}

export function checkEmptyCatches(files: readonly SourceFile[]): Finding[] {
  const text = 'an error is swallowed: say in a comment what is lost'
  return files.flatMap((file) => {
    const hasCommentBetween = (open: number, close: number) => {
      const from = file.tokens[open]?.start ?? 0
      const to = file.tokens[close]?.start ?? 0
      return file.comments.some(({ start }) => start > from && start < to)
    }
    return findTokens(file, text, (tokens, index) => {
      const body = findCatchBody(tokens, index)
      if (body !== null) return matchesAt(tokens, body + 1, '}') && !hasCommentBetween(body, body + 1)
      if (!dropsRejection(tokens, index)) return false
      // For `.catch(…)`, a comment on the same line or directly above it counts too.
      const line = tokens[index]?.line ?? 0
      const hasCommentNearby = file.comments.some((comment) => [line - 1, line].includes(lastLine(comment)))
      return !hasCommentNearby && !hasCommentBetween(index, findClosingIndex(tokens, index + 2))
    })
  })
}

function lastLine(comment: Token): number {
  return comment.line + comment.text.split('\n').length - 1
}
