// Finds components and hooks, declared with `function`, that write to storage while they render. A render may be repeated
// or thrown away, so only handlers and effects may write. A function without parameters that is the first argument of
// `useState` or `useMemo` is called during the render, so it is checked too.
import { bodyOf } from './lengths.ts'
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const WRITES = ['setItem', 'removeItem', 'clear']
const STORAGES = ['localStorage', 'sessionStorage']
const RENDERED = /^(?:[A-Z]|use[A-Z])/
const CALLED_WHILE_RENDERING = new Set(['useState', 'useMemo'])

export function checkRenderWrites(files: readonly SourceFile[]): Finding[] {
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, 'portal/src'))
    .flatMap(({ path, tokens }) =>
      tokens.flatMap((token, index) => {
        const isFault =
          isWrite(tokens, index) && !isExpressionArrow(tokens, index) && isRendered(tokens, index)
        const text = 'this code writes to storage while rendering: move the write to an effect or a handler'
        return isFault ? [{ file: path, line: token.line, text }] : []
      }),
    )
}

function isWrite(tokens: readonly Token[], index: number): boolean {
  const isStorage = STORAGES.some((storage) =>
    WRITES.some((write) => matchesAt(tokens, index, storage, '.', write)),
  )
  // `write` is the method of StoredText.
  const isStored = matchesAt(tokens, index, '.', 'write', '(')
  return isStorage || isStored || matchesAt(tokens, index, 'document', '.', 'cookie', '=')
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

/** Whether the arrow function at `arrow` has no parameters and is the first argument of `useState` or `useMemo`. */
function isCalledWhileRendering(tokens: readonly Token[], arrow: number): boolean {
  if (!matchesAt(tokens, arrow - 3, '(', '(', ')')) return false
  let hook = arrow - 4
  // This skips the type argument of `useState<T>(() => …)`.
  if (matchesAt(tokens, hook, '>')) while (hook > 0 && !matchesAt(tokens, hook + 1, '<')) hook -= 1
  return CALLED_WHILE_RENDERING.has(tokens[hook]?.text ?? '')
}
