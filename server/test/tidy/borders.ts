// Finds import cycles, and relative imports from another package.
import { importsOf, resolveImport, workspaceFolder, workspacesOf } from './imports.ts'
import { codeOutsideTests, isCode } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

type Edge = { to: string; line: number }

export function checkCycles(files: readonly SourceFile[]): Finding[] {
  const edges = toEdges(files)
  const findings: Finding[] = []
  const visited = new Set<string>()
  const openPaths: string[] = []

  function visit(path: string): void {
    openPaths.push(path)
    for (const { to, line } of edges.get(path) ?? []) {
      const start = openPaths.indexOf(to)
      if (start >= 0) {
        const cycle = [...openPaths.slice(start), to].join(' → ')
        findings.push({ file: path, line, text: `these imports form a cycle: ${cycle}` })
      } else if (!visited.has(to)) visit(to)
    }
    openPaths.pop()
    visited.add(path)
  }

  for (const path of edges.keys()) if (!visited.has(path)) visit(path)
  return findings
}

function toEdges(files: readonly SourceFile[]): Map<string, Edge[]> {
  const workspaces = workspacesOf(files)
  const code = files.filter((file) => isCode(file.path))
  const allPaths = new Set(code.map((file) => file.path))
  return new Map(
    code.map((file) => {
      const edges = importsOf(file).flatMap(({ specifier, line }) => {
        const to = resolveImport(file, specifier, workspaces)
        return to !== null && allPaths.has(to) ? [{ to, line }] : []
      })
      return [file.path, edges]
    }),
  )
}

export function checkBorders(files: readonly SourceFile[]): Finding[] {
  const workspaces = workspacesOf(files)
  return codeOutsideTests(files).flatMap((file) => {
    const home = workspaceFolder(workspaces, file.path)
    if (home === '') return [] // Scripts of the root belong to no package.
    return importsOf(file).flatMap(({ specifier, line }) => {
      const target = specifier.startsWith('.') ? resolveImport(file, specifier, workspaces) : null
      if (target === null || workspaceFolder(workspaces, target) === home) return []
      const text = `${specifier} leaves ${home}/: import the other package by its name`
      return [{ file: file.path, line, text }]
    })
  })
}
