// Packs the SDK and the command line tool into packages-dist, if their sources have changed. The service serves these
// packages to merchants (/packages).
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTarball } from './pack-tarball.ts'
import { hashSources, readStamp, STAMP } from './source-stamp.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'packages-dist')
const SOURCES = [
  'sdk/*',
  'sdk/src/**/*',
  'cli/*',
  'cli/src/**/*',
  'contract/src/**/*',
  'words/src/**/*',
  'scripts/{build-sdk,build-cli,build-packages,pack-tarball}.ts',
]

/** Moves the stamp last, so that both packages are complete when another process reads the new stamp. */
function replacePackages(tempDir: string, stamp: string): void {
  mkdirSync(DIST, { recursive: true })
  const files: Record<string, Buffer | string> = {
    'pazar-sdk.tgz': packTarball(path.join(tempDir, 'sdk')),
    'pazar-cli.tgz': packTarball(path.join(tempDir, 'cli')),
    [STAMP]: stamp,
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(tempDir, name), content)
    renameSync(path.join(tempDir, name), path.join(DIST, name))
  }
}

export async function ensurePackagesBuilt(): Promise<boolean> {
  const stamp = hashSources(ROOT, SOURCES)
  if (readStamp(DIST) === stamp) return false
  // This directory is on the same file system as DIST, because a rename cannot move a file to another file system.
  const tempDir = mkdtempSync(path.join(ROOT, 'node_modules/.packages-'))
  try {
    const [{ buildSdk }, { buildCli }] = await Promise.all([
      import('./build-sdk.ts'),
      import('./build-cli.ts'),
    ])
    await buildSdk(path.join(tempDir, 'sdk'))
    await buildCli(path.join(tempDir, 'cli'))
    replacePackages(tempDir, stamp)
  } finally {
    rmSync(tempDir, { recursive: true, force: true })
  }
  return true
}

if (import.meta.main && (await ensurePackagesBuilt())) console.log('The packages are built.')
