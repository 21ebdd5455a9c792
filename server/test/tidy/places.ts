// Finds code in the wrong kind of file. Only stores may contain SQL, and only routes files may register URLs. Only config may
// read the environment, and only lib/clock may read the machine's clock. Only main and the commands may write to the console.
// Each rule lists its exceptions.
import { baseName, codeOutsideTests, findTokens, inFolder, isCode } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'
import { findClosingIndex, matchesAt } from './tokens.ts'
import type { Token } from './tokens.ts'

const NAME = String.raw`(?:[\w."]|\$\{\s*\})+`
const COLUMN = String.raw`(?:\*|\$\d+|'[^']*'|${NAME})`

// Each pattern is the beginning of a statement. It is long enough that no English sentence matches it.
const SQL_STARTS = [
  String.raw`select\s+(?:distinct|exists|not|case)\b`,
  String.raw`select\s+${COLUMN}(?:\(|\s*(?:[,*+=<>]|::|\|\|)|\s+(?:as|from)\s)`,
  String.raw`select\s+(?:\d+|\$\d+)\s*;?\s*$`,
  String.raw`insert\s+into\s`,
  String.raw`update\s+(?:only\s+)?${NAME}\s+(?:as\s+)?(?:${NAME}\s+)?set\s`,
  String.raw`delete\s+from\s`,
  String.raw`with\s+(?:recursive\s+)?${NAME}\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  String.raw`(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|unlogged\s+|materialized\s+)*(?:table|index|schema|database|role|function|trigger|type|view|sequence|extension|policy|domain)\s+${NAME}`,
  String.raw`begin(?:;|\s+(?:transaction|isolation|read)\b)`,
  String.raw`set\s+(?:local|session)\s+${NAME}\s*(?:=|\sto\s)`,
  String.raw`set\s+(?:transaction\s+(?:isolation|read)\s|${NAME}\s*=)`,
  String.raw`lock\s+table\s`,
  String.raw`(?:grant|revoke)\s+[\w\s,]+\s+on\s+[\w."\s]+\s+(?:to|from)\s`,
  String.raw`copy\s+${NAME}\s*(?:\([^)]*\)\s*)?(?:from|to)\s+(?:stdin|stdout|')`,
  String.raw`values\s*\(\s*(?:\$|'|\d)`,
]
const SQL = new RegExp(String.raw`^\s*(?:--[^\n]*\n\s*)*(?:${SQL_STARTS.join('|')})`, 'i')

// These statements are too short to be recognized by their text alone. They count only as the argument of a query function.
const SHORT_SQL =
  /^\s*(?:begin|commit|rollback|end|savepoint|release|truncate|vacuum|listen|notify|unlisten)\b/i
const QUERY_FUNCTIONS = new Set(['exec', 'execute', 'run', 'sql'])

function isSql(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (token?.kind !== 'string' && token?.kind !== 'template') return false
  if (SQL.test(token.text) || (token.kind === 'template' && matchesAt(tokens, index - 1, 'sql'))) return true
  if (matchesAt(tokens, index - 3, '.', 'query', '(')) return true
  return (
    SHORT_SQL.test(token.text) &&
    matchesAt(tokens, index - 1, '(') &&
    QUERY_FUNCTIONS.has(tokens[index - 2]?.text ?? '')
  )
}

/** Not every name that ends in "store" names a store: `restore.ts` does not. */
export const IS_STORE = /[-/]store\.ts$/

export function checkSql(files: readonly SourceFile[]): Finding[] {
  return (
    codeOutsideTests(files)
      .filter(({ path }) => !IS_STORE.test(path) && !inFolder(path, 'server/src/db'))
      // The bench compares the service with plain queries, so it contains SQL.
      .filter(({ path }) => !inFolder(path, 'bench'))
      .flatMap((file) => findTokens(file, 'SQL is allowed only in *store.ts and server/src/db', isSql))
  )
}

const ROUTE_VERBS = new Set(['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'all', 'route'])
const APP_NAMES = new Set(['app', 'fastify', 'instance', 'scope', 'router'])

/**
 * A call such as `app.post(…)` registers a URL if the name of the object is in APP_NAMES. A call on any other object counts
 * only if its first argument is a path: `app.withTypeProvider<T>().post('/pay', …)`. For `route`, this argument must be an
 * object literal.
 */
function registersUrl(tokens: readonly Token[], index: number): boolean {
  const verb = tokens[index]
  if (verb?.kind !== 'word' || !ROUTE_VERBS.has(verb.text) || !matchesAt(tokens, index - 1, '.')) return false
  const open = matchesAt(tokens, index + 1, '<') ? findClosingIndex(tokens, index + 1) + 1 : index + 1
  if (!matchesAt(tokens, open, '(')) return false
  if (APP_NAMES.has(tokens[index - 2]?.text ?? '')) return true
  if (verb.text === 'route') return matchesAt(tokens, open + 1, '{')
  const first = tokens[open + 1]
  return (first?.kind === 'string' || first?.kind === 'template') && first.text.startsWith('/')
}

export function checkRoutes(files: readonly SourceFile[]): Finding[] {
  const text = 'URLs may be registered only in routes.ts and portal-routes.ts'
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, 'server/src'))
    .filter(({ path }) => !['routes.ts', 'portal-routes.ts'].includes(baseName(path)))
    .flatMap((file) => findTokens(file, text, registersUrl))
}

function readsEnvironment(tokens: readonly Token[], index: number): boolean {
  if (matchesAt(tokens, index, 'import', '.', 'meta', '.', 'env')) return true
  if (matchesAt(tokens, index, 'process', '[')) return tokens[index + 2]?.text === 'env'
  if (matchesAt(tokens, index, 'process', '.', 'env') || matchesAt(tokens, index, 'process', '?.', 'env'))
    return true
  // This finds `const { env } = process` and `import { env } from 'node:process'`.
  const unpacks =
    matchesAt(tokens, index, '}', '=', 'process') ||
    (matchesAt(tokens, index, '}', 'from') && /^(?:node:)?process$/.test(tokens[index + 2]?.text ?? ''))
  if (!unpacks) return false
  const open = tokens.findLastIndex((token, i) => i < index && token.kind === 'punct' && token.text === '{')
  return tokens.slice(open, index).some(({ kind, text }) => kind === 'word' && text === 'env')
}

/** Tests are checked too, except the listed files of server/test. */
export function checkEnvironment(files: readonly SourceFile[]): Finding[] {
  const allowed = [
    'server/src/config.ts',
    'cli/src/environment.ts',
    'server/test/counts.ts',
    'server/test/database.ts',
    'server/test/prepared-cluster.ts',
    'server/test/browser.ts',
    'server/test/debian-packages.ts',
    'server/test/service-process.ts',
  ]
  return files
    .filter(({ path }) => isCode(path) && !allowed.includes(path))
    .filter(({ path }) => !['scripts', 'examples', 'bench'].some((folder) => inFolder(path, folder)))
    .flatMap((file) =>
      findTokens(file, 'only config and the files listed in places.ts read process.env', readsEnvironment),
    )
}

function readsClock(tokens: readonly Token[], index: number): boolean {
  if (matchesAt(tokens, index, 'Date', '.', 'now') || matchesAt(tokens, index, 'new', 'Date')) return true
  const isMemberOrNew = matchesAt(tokens, index - 1, 'new') || matchesAt(tokens, index - 1, '.')
  return matchesAt(tokens, index, 'Date', '(') && !isMemberOrNew
}

/** The SDK has no injected clock, so its clock.ts reads the time if the caller passes no time. */
const CLOCKS = ['server/src/lib/clock.ts', 'sdk/src/clock.ts']

export function checkClock(files: readonly SourceFile[]): Finding[] {
  const text = `only ${CLOCKS.join(' and ')} may create a Date or read the time`
  return codeOutsideTests(files)
    .filter(({ path }) => /^(?:server\/src|sdk|words|theme|contract)\//.test(path) && !CLOCKS.includes(path))
    .flatMap((file) => findTokens(file, text, readsClock))
}

export function checkConsole(files: readonly SourceFile[]): Finding[] {
  // print.ts is a command that prints the texts of the catalogue.
  const allowed =
    /^(?:server\/src\/main\.ts|server\/src\/cli\/.*|words\/src\/print\.ts|(?:scripts|examples|bench)\/.*)$/
  return codeOutsideTests(files)
    .filter(({ path }) => !allowed.test(path))
    .flatMap((file) =>
      findTokens(
        file,
        'only main, the commands and scripts may write to the console',
        (tokens, i) => matchesAt(tokens, i, 'console', '.') || matchesAt(tokens, i, 'console', '['),
      ),
    )
}
