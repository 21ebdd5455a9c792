// Finds components and hooks that write to storage while they render. A render may be repeated or thrown away, so only
// handlers and effects may write. Functions that a hook calls during the render (such as the initial value of a state)
// count as part of the render.
import { bodyOf } from './lengths.ts'
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const WRITES = ['setItem', 'removeItem', 'clear']
const STORAGES = ['localStorage', 'sessionStorage']
const RENDERED = /^(?:[A-Z]|use[A-Z])/
const CALLED_WHILE_RENDERING = new Set(['useState', 'useMemo', 'useReducer'])

export function checkRenderWrites(files: readonly SourceFile[]): Finding[] {
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, 'portal/src'))
    .flatMap(({ path, tokens }) =>
      tokens.flatMap((token, index) => {
        const isFault =
          isWrite(tokens, index) && !isExpressionArrow(tokens, index) && isRendered(tokens, index)
        const text = 'this writes to storage while rendering: move it to an effect or a handler'
        return isFault ? [{ file: path, line: token.line, text }] : []
      }),
    )
}

function isWrite(tokens: readonly Token[], index: number): boolean {
  const isStorage = STORAGES.some((storage) =>
    WRITES.some((write) => matchesAt(tokens, index, storage, '.', write)),
  )
  return isStorage || matchesAt(tokens, index, 'document', '.', 'cookie', '=')
}

function isExpressionArrow(tokens: readonly Token[], index: number): boolean {
  return matchesAt(tokens, index - 1, '=>') && !isCalledWhileRendering(tokens, index - 1)
}

function isRendered(tokens: readonly Token[], index: number): boolean {
  const enclosing = tokens.flatMap((_, start) => {
    const open = start < index ? bodyOf(tokens, start) : null
    return open !== null && open < index && findClosingIndex(tokens, open) > index ? [start] : []
  })
  const innermost = enclosing.at(-1)
  if (innermost === undefined) return false
  if (matchesAt(tokens, innermost, 'function')) return RENDERED.test(tokens[innermost + 1]?.text ?? '')
  return isCalledWhileRendering(tokens, innermost)
}

/** Whether the arrow function at `arrow` is the argument of a hook that calls it during the render. */
function isCalledWhileRendering(tokens: readonly Token[], arrow: number): boolean {
  if (!matchesAt(tokens, arrow - 3, '(', '(', ')')) return false
  return CALLED_WHILE_RENDERING.has(tokens[arrow - 4]?.text ?? '')
}
