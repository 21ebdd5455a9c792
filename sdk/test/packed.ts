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
  const home = await makeHome()
  const built = await build(path.join(home, 'package'))
  const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', home], { cwd: home })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  return { tarball: path.join(home, packed.filename), files: packed.files.map((file) => file.path) }
}

/** An empty directory with the packages installed. */
export async function install(...tarballs: string[]): Promise<string> {
  const shop = await makeHome()
  await run('npm', ['install', ...tarballs, '--offline', '--no-audit', '--no-fund'], { cwd: shop })
  return shop
}

async function makeHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'pazar-packed-'))
  after(() => rm(home, { recursive: true, force: true }))
  return home
}
