// Lists the files that git tracks, and new files that git does not ignore. In a copy without git (an archive, a container),
// the folders are read instead, and files that .gitignore names are left out.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceFile } from './source-file.ts'
import type { SourceFile } from './source-file.ts'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const TEXT_FILES = /\.(?:[cm]?[jt]sx?|json|sql|css|html|sh|md|ya?ml)$/

export function readTree(root: string = ROOT): SourceFile[] {
  const listed = listWithGit(root)
  // Git lists nothing for a copy in an ignored folder of another repository.
  const paths = listed === null || listed.length === 0 ? walk(root) : listed
  return paths
    .filter((path) => existsSync(join(root, path)))
    .sort()
    .map((path) => sourceFile(path, TEXT_FILES.test(path) ? readFileSync(join(root, path), 'utf8') : ''))
}

function listWithGit(root: string): string[] | null {
  try {
    const out = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16 * 1024 * 1024, // Enough for several hundred thousand paths; the default is too small for a long list.
    })
    return out.split('\0').filter((path) => path !== '')
  } catch {
    // There is no git or no repository. Git's message is dropped, and the folders are read instead.
    return null
  }
}

function walk(root: string): string[] {
  const isIgnored = readIgnored(root)
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === '.git' || isIgnored(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else found.push(path)
    }
  }
  return found
}

/** Supports only the patterns that our .gitignore uses: a name, the name of a folder with a slash, and `*.extension`. */
function readIgnored(root: string): (name: string) => boolean {
  const path = join(root, '.gitignore')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : 'node_modules/'
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = lines.map((line) => line.replace(/^\/|\/$/g, ''))
  return (name) =>
    patterns.some((pattern) => (pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern))
}
