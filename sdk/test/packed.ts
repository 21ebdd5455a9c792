// Builds and packs a package, and installs packages without network.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PackedPackage {
  tarball: string
  files: string[]
}

export async function pack(build: (dir: string) => Promise<string>): Promise<PackedPackage> {
  const dir = await createTempDir()
  const built = await build(path.join(dir, 'package'))
  const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', dir], { cwd: dir })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  return { tarball: path.join(dir, packed.filename), files: packed.files.map((file) => file.path) }
}

/** Returns the path of a new directory with the packages. */
export async function install(...tarballs: string[]): Promise<string> {
  const shop = await createTempDir()
  await run('npm', ['install', ...tarballs, '--offline', '--no-audit', '--no-fund'], { cwd: shop })
  return shop
}

async function createTempDir(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-packed-'))
  after(() => rm(dir, { recursive: true, force: true }))
  return dir
}
