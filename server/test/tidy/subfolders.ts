// Between a folder of the server and a folder inside it, imports go in one direction only.
import { importsOf, resolveImport, workspacesOf } from './imports.ts'
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

type Edge = Finding & { inner: string; direction: 'in' | 'out' }

export function checkSubfolders(files: readonly SourceFile[]): Finding[] {
  const edges = listEdges(files)
  // The direction with fewer imports is the one to remove.
  return [...Map.groupBy(edges, ({ inner }) => inner).values()].flatMap((edgesOfFolder) => {
    const inward = edgesOfFolder.filter(({ direction }) => direction === 'in')
    const outward = edgesOfFolder.filter(({ direction }) => direction === 'out')
    const fewer = inward.length < outward.length ? inward : outward
    return (inward.length > 0 && outward.length > 0 ? fewer : []).map(({ file, line, text }) => ({
      file,
      line,
      text,
    }))
  })
}

function listEdges(files: readonly SourceFile[]): Edge[] {
  const workspaces = workspacesOf(files)
  return codeOutsideTests(files)
    .filter(({ path }) => inFolder(path, 'server/src'))
    .flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }): Edge[] => {
        const target = resolveImport(file, specifier, workspaces)
        if (target === null) return []
        const [from, to] = [folderOf(file.path), folderOf(target)]
        const inner = inFolder(to, from) ? to : inFolder(from, to) ? from : null
        // Imports from or to a file directly in src, such as main.ts, are not checked.
        if (inner === null || from === 'server/src' || to === 'server/src') return []
        const direction = inner === to ? 'in' : 'out'
        const text = `${from} and ${to} import each other: remove this import (${specifier})`
        return [{ file: file.path, line, text, inner, direction }]
      }),
    )
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
