// Finds the tests that a change can affect: tests that reach a changed file through imports or through a path in a string.
// AFFECTS_EVERY_TEST and READERS list other dependencies.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { importsOf, resolveImport, workspacesOf } from '../server/test/tidy/imports.ts'
import type { Workspace } from '../server/test/tidy/imports.ts'
import { isCode, isTest } from '../server/test/tidy/source-file.ts'
import type { SourceFile } from '../server/test/tidy/source-file.ts'
import { readTree } from '../server/test/tidy/tree.ts'
import { ROOT } from './test-files.ts'

const AFFECTS_EVERY_TEST = /^(?:package(?:-lock)?\.json|tsconfig\.json|scripts\/(?:test.*|preload)\.c?[tj]s)$/

/**
 * Dependencies that imports do not show, because a test or helper reads the files of a folder or uses built files. If a
 * changed file matches `changed`, all files that match `readers` are affected.
 */
const READERS: readonly (readonly [changed: RegExp, readers: RegExp])[] = [
  [/./, /^server\/test\/tidy\.test\.ts$/],
  [/^server\/migrations\//, /^server\/test\/database\.ts$/],
  [/^(?:portal|theme|words)\//, /^server\/test\/portal\//],
  [/^(?:docs\/|[^/]+\.md$)/, /^server\/(?:src\/docs|test\/(?:readme|guide|browser\/docs)).*\.test\.ts$/],
  [/^(?:sdk|cli)\/(?!.*\.test\.ts$)/, /^(?:sdk|cli)\/test\//],
  [/^examples\//, /^(?:examples\/verify\/.*\.test\.ts|server\/src\/docs\/.*\.test\.ts)$/],
]

/** Compares committed, uncommitted and new files with `base`. */
export function findAffectedTests(tests: readonly string[], base = findBase()): string[] {
  const changed = [
    ...git('diff', '--name-only', '-z', '--no-renames', base),
    ...git('ls-files', '-oz', '--exclude-standard'),
  ]
  return selectAffected(tests, changed, readTree(ROOT))
}

/** Reads no files, so that this function can be tested. */
export function selectAffected(
  tests: readonly string[],
  changed: readonly string[],
  files: readonly SourceFile[],
): string[] {
  if (changed.length === 0) return []
  if (changed.some((file) => AFFECTS_EVERY_TEST.test(file))) return [...tests]
  const importers = findImporters(files)
  const affected = new Set<string>()
  const waiting = [...changed, ...findReaders(changed, files)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (affected.has(file)) continue
    affected.add(file)
    waiting.push(...(importers.get(file) ?? []))
  }
  return tests.filter((file) => affected.has(file))
}

/** The service's tests that use a database and no browser. */
export function selectDatabaseTests(tests: readonly string[], files: readonly SourceFile[]): string[] {
  const inBrowser = new Set(selectAffected(tests, ['server/test/browser.ts'], files))
  return selectAffected(tests, ['server/test/database.ts'], files).filter(
    (file) => file.startsWith('server/') && !inBrowser.has(file),
  )
}

export function findDatabaseTests(tests: readonly string[]): string[] {
  return selectDatabaseTests(tests, readTree(ROOT))
}

function findReaders(changed: readonly string[], files: readonly SourceFile[]): string[] {
  const readers = READERS.filter(([pattern]) => changed.some((file) => pattern.test(file)))
  return files.map((file) => file.path).filter((file) => readers.some(([, pattern]) => pattern.test(file)))
}

function findImporters(files: readonly SourceFile[]): Map<string, string[]> {
  const workspaces = workspacesOf(files)
  const allPaths = new Set(files.map((file) => file.path))
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const target of findTargets(file, workspaces, allPaths))
      importers.set(target, [...(importers.get(target) ?? []), file.path])
  return importers
}

function findTargets(
  file: SourceFile,
  workspaces: readonly Workspace[],
  allPaths: ReadonlySet<string>,
): Set<string> {
  const imports = importsOf(file)
  const specifiers = new Set(imports.map(({ specifier }) => specifier))
  const imported = imports
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ specifier }) => resolveImport(file, specifier, workspaces) ?? '')
  const pathsInTexts = file.tokens
    .filter(({ kind, text }) => kind === 'string' && text.includes('.') && !specifiers.has(text))
    .flatMap(({ text }) => [path.posix.normalize(text), path.posix.join(path.posix.dirname(file.path), text)])
  // A string with the path of a document counts only in a test. Other sources mention documents but do not read them.
  const readTargets = pathsInTexts.filter((target) => isCode(target) || isTest(file.path))
  return new Set(
    [...imported, ...readTargets].filter((target) => allPaths.has(target) && target !== file.path),
  )
}

/** The commit at which this branch diverged from main. On main, the last commit. */
function findBase(): string {
  try {
    return git('merge-base', 'HEAD', 'main')[0]?.trim() ?? 'HEAD'
  } catch {
    return 'HEAD' // Without main, only uncommitted files are compared.
  }
}

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return output.split('\0').filter((name) => name !== '')
}
