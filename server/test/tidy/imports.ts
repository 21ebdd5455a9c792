// Finds a file's imports and resolves them. A relative import, or an import of one of our packages, resolves to a
// path of the repository. An import of a third-party package resolves to null.
import { posix } from 'node:path'
import { baseName } from './source-file.ts'
import type { SourceFile } from './source-file.ts'
import { matchesAt } from './tokens.ts'

export type Import = { specifier: string; line: number; typeOnly: boolean }

export type Workspace = { folder: string; name: string; entries: ReadonlyMap<string, string> }

export function importsOf({ tokens }: SourceFile): Import[] {
  const found: Import[] = []
  let clause = 0
  for (const [i, token] of tokens.entries()) {
    if (matchesAt(tokens, i, 'import') || matchesAt(tokens, i, 'export')) clause = i
    const isStatement =
      matchesAt(tokens, i, 'import') || (matchesAt(tokens, i, 'from') && !matchesAt(tokens, i - 1, '.'))
    const isCall = matchesAt(tokens, i, 'import', '(') || matchesAt(tokens, i, 'require', '(')
    const target = tokens[isCall ? i + 2 : i + 1]
    if ((!isStatement && !isCall) || (target?.kind !== 'string' && target?.kind !== 'template')) continue
    const typeOnly = token.text === 'from' && matchesAt(tokens, clause + 1, 'type') && i !== clause + 2
    found.push({ specifier: target.text, line: token.line, typeOnly })
  }
  return found
}

export function workspacesOf(files: readonly SourceFile[]): Workspace[] {
  return files
    .filter((file) => baseName(file.path) === 'package.json')
    .map((file) => {
      const read = JSON.parse(file.text) as { name?: string; exports?: unknown }
      const folder = posix.dirname(file.path)
      return { folder: folder === '.' ? '' : folder, name: read.name ?? '', entries: toEntries(read.exports) }
    })
}

export function workspaceFolder(workspaces: readonly Workspace[], path: string): string {
  const containing = workspaces.filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
  return containing.reduce((best, { folder }) => (folder.length > best.length ? folder : best), '')
}

export function resolveImport(from: SourceFile, specifier: string, all: readonly Workspace[]): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier)
  const owner = all.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (owner === undefined) return null
  const subpath = `.${specifier.slice(owner.name.length)}`
  return posix.join(owner.folder, owner.entries.get(subpath) ?? subpath)
}

/**
 * `exported`: the field "exports" of a package.json. The field is one path, a path for each subpath, or a path for each
 * condition. The first condition is used.
 */
function toEntries(exported: unknown): Map<string, string> {
  if (typeof exported !== 'object' || exported === null) return new Map([['.', firstPath(exported)]])
  const subpaths = Object.entries(exported).filter(([key]) => key.startsWith('.'))
  if (subpaths.length === 0) return new Map([['.', firstPath(exported)]])
  return new Map(subpaths.map(([key, value]) => [key, firstPath(value)]))
}

function firstPath(exported: unknown): string {
  if (typeof exported === 'string') return exported
  if (typeof exported !== 'object' || exported === null) return '.'
  return firstPath(Object.values(exported)[0])
}
