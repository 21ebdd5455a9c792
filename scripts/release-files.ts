// The files of a release: the built portal, the packages for merchants, and all files of the repository except those
// that only developers need. The lock file is included for `npm ci --omit=dev`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { listFilesBelow, readTarFile } from './pack-tarball.ts'
import type { TarFile } from './pack-tarball.ts'

/** Files that only developers need. examples/ is in a release, because the guide includes its programs. */
const EXCLUDED_FILES = [
  /\.test\.tsx?$/,
  /^(?:\.ci|bench|docs\/pictures|portal\/src)\/|(?:^|\/)test\//,
  /^\.(?:gitignore|oxfmtrc\.json|oxlintrc\.json)$/,
  /(?:^|\/)tsconfig(?:\.build)?\.json$/,
  /^portal\/vite\.config\.ts$/,
  /^scripts\/(?!preload\.cjs$)/,
]
const BUILT_FOLDERS = ['portal/dist', 'packages-dist']
/** Operators need only these npm scripts. Most other scripts need files or packages that a release does not have. */
const SCRIPTS = ['start', 'pazar']

interface Package {
  version: string
  scripts?: Record<string, string>
  hasInstallScript?: boolean
  packages?: Record<string, Package>
}

/** Releases are numbered by the day of their changelog entry: `## 2026-11-06` is 2026.11.6. */
export function readReleaseVersion(changelog: string): string {
  const [, year, month, day] = /^## (\d{4})-(\d\d)-(\d\d)$/m.exec(changelog) ?? []
  if (day === undefined) throw new Error('CHANGELOG.md has no entry with a date.')
  return [year, month, day].map(Number).join('.')
}

/** Lists only files that git knows, so that a forgotten `.env` or database cannot be published. */
function listTracked(root: string): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '')
}

function listReleaseFiles(root: string): string[] {
  const sources = listTracked(root).filter((name) => !EXCLUDED_FILES.some((pattern) => pattern.test(name)))
  const built = BUILT_FOLDERS.flatMap((dir) =>
    listFilesBelow(path.join(root, dir)).map((name) => `${dir}/${name}`),
  )
  return [...sources, ...built].sort()
}

function selectScripts(scripts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(scripts).filter(([name]) => SCRIPTS.includes(name)))
}

/**
 * These files get the version of the release. `package.json` loses its install script, so the lock file no longer says that
 * there is one.
 */
const EDITS: Readonly<Record<string, (json: Package, version: string) => Package>> = {
  'package.json': (json, version) => ({ ...json, version, scripts: selectScripts(json.scripts ?? {}) }),
  'server/package.json': (json, version) => ({ ...json, version }),
  'package-lock.json': (json, version) => {
    const { hasInstallScript: _, ...top } = json.packages?.[''] ?? { version }
    const server = json.packages?.['server'] ?? { version }
    const packages = { ...json.packages, '': { ...top, version }, server: { ...server, version } }
    return { ...json, version, packages }
  },
}

export function readReleaseFiles(root: string, version: string): TarFile[] {
  return listReleaseFiles(root).map((name) => {
    const file = readTarFile(root, name)
    const edit = EDITS[name]
    if (!edit) return file
    const json = edit(JSON.parse(file.bytes.toString('utf8')) as Package, version)
    return { ...file, bytes: Buffer.from(`${JSON.stringify(json, null, 2)}\n`) }
  })
}

export function readVersion(root: string): string {
  return readReleaseVersion(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))
}
