// The input of every style rule: a file's path, its text and, for code, its tokens. A rule is a pure function from files to
// findings, so a test can call a rule with made-up files.
import { UnreadableSource, tokenize } from './tokens.ts'
import type { Token } from './tokens.ts'

export type SourceFile = {
  /** The path from the root of the repository, with forward slashes. */
  path: string
  text: string
  tokens: readonly Token[]
  comments: readonly Token[]
  unreadable: { line: number; reason: string } | null
}

export type Finding = { file: string; line: number; text: string }

export type Rule = (files: readonly SourceFile[]) => Finding[]

export function sourceFile(path: string, text: string): SourceFile {
  const file = { path, text, tokens: [], comments: [], unreadable: null }
  if (!isCode(path)) return file
  try {
    const all = tokenize(text)
    return {
      ...file,
      tokens: all.filter((token) => token.kind !== 'comment'),
      comments: all.filter((token) => token.kind === 'comment'),
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error
    return { ...file, unreadable: { line: error.line, reason: error.message } }
  }
}

export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path)
}

export function isTest(path: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(path) || /^[^/]+\/test\//.test(path)
}

export function inFolder(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function codeOutsideTests(files: readonly SourceFile[]): SourceFile[] {
  return files.filter((file) => isCode(file.path) && !isTest(file.path))
}

export function findTokens(
  file: SourceFile,
  text: string,
  matches: (tokens: readonly Token[], index: number) => boolean,
): Finding[] {
  return file.tokens.flatMap((token, index) =>
    matches(file.tokens, index) ? [{ file: file.path, line: token.line, text }] : [],
  )
}

/** Finds files that cannot be tokenized. Rules that read tokens skip such files without a message. */
export function checkReadable(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (file.unreadable === null) return []
    const text = `server/test/tidy/tokens.ts cannot read this file: ${file.unreadable.reason}`
    return [{ file: file.path, line: file.unreadable.line, text }]
  })
}
