// A package as a merchant gets it: built, packed by npm, and installed without network into an empty directory.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PackedPackage {
  tarball: string
  /** The files, as listed by npm. */
  files: string[]
}

export async function pack(build: (dir: string) => Promise<string>): Promise<PackedPackage> {
  const dir = await createTempDir()
  const built = await build(path.join(dir, 'package'))
  const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', dir], { cwd: dir })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  return { tarball: path.join(dir, packed.filename), files: packed.files.map((file) => file.path) }
}

/** Installs the packages into an empty directory and returns its path. */
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
