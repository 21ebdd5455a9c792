// The package as a merchant gets it: built aside, packed by npm, and installed with no network into an empty directory.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSdk } from '../../scripts/build-sdk.ts'

const run = promisify(execFile)

export interface PackedSdk {
  tarball: string
  /** What is inside, as npm lists it. */
  files: string[]
  /** A merchant's directory: empty, then the package installed. */
  install(): Promise<string>
  remove(): Promise<void>
}

export async function packSdk(): Promise<PackedSdk> {
  const home = await mkdtemp(path.join(tmpdir(), 'pazar-sdk-'))
  const built = await buildSdk(path.join(home, 'package'))
  const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', home], { cwd: home })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  const tarball = path.join(home, packed.filename)
  return {
    tarball,
    files: packed.files.map((file) => file.path),
    async install() {
      const shop = await mkdtemp(path.join(home, 'shop-'))
      await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'], { cwd: shop })
      return shop
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}
