// Packs the SDK and the command line tool into packages-dist, where the service takes them from (/packages): merchants
// install them from the service whose documentation they read. Once, and again only when what they are made of has
// changed. Runs after an install, beside a start that finds none, and before the tests.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTarball } from './pack-tarball.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'packages-dist')
const STAMP = 'sources.txt'
const SOURCES = [
  'sdk/*',
  'sdk/src/**/*',
  'cli/*',
  'cli/src/**/*',
  'contract/src/**/*',
  'words/src/**/*',
  'scripts/{build-sdk,build-cli,build-packages,pack-tarball}.ts',
]

function hashSources(): string {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort())
    hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

function readStamp(): string | null {
  try {
    return readFileSync(path.join(DIST, STAMP), 'utf8')
  } catch {
    return null // Nothing was packed yet; why the file cannot be read makes no difference.
  }
}

/** The stamp goes last: whoever reads it finds both files whole. */
function moveIn(aside: string, wanted: string): void {
  mkdirSync(DIST, { recursive: true })
  const files: Record<string, Buffer | string> = {
    'pazar-sdk.tgz': packTarball(path.join(aside, 'sdk')),
    'pazar-cli.tgz': packTarball(path.join(aside, 'cli')),
    [STAMP]: wanted,
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(aside, name), content)
    renameSync(path.join(aside, name), path.join(DIST, name))
  }
}

export async function ensurePackagesBuilt(): Promise<boolean> {
  const wanted = hashSources()
  if (readStamp() === wanted) return false
  // Beside the target, because a rename does not cross file systems.
  const aside = mkdtempSync(path.join(ROOT, 'node_modules/.packages-'))
  try {
    // The bundler is loaded only where there is something to build.
    const [{ buildSdk }, { buildCli }] = await Promise.all([
      import('./build-sdk.ts'),
      import('./build-cli.ts'),
    ])
    await buildSdk(path.join(aside, 'sdk'))
    await buildCli(path.join(aside, 'cli'))
    moveIn(aside, wanted)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return true
}

if (import.meta.main && (await ensurePackagesBuilt())) console.log('The packages are built.')
