// Makes a release: one archive. Operators unpack it, and run `npm ci --omit=dev` and `npm start` in it. The same commit,
// built with the same version of Node, gives the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensurePackagesBuilt } from './build-packages.ts'
import { ensurePortalBuilt } from './build-portal.ts'
import { toTarball } from './pack-tarball.ts'
import { readReleaseFiles, readVersion } from './release-files.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'dist')
/** A release may not be larger than this. At present, a release has about 3 MB. */
const RELEASE_BYTES_MAX = 60 * 1024 * 1024

function requireCleanTree(): void {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trim()
  if (changed === '') return
  console.error(`A release is made from a commit, and these files have changed since:\n${changed}`)
  process.exit(1)
}

requireCleanTree()
await ensurePortalBuilt()
await ensurePackagesBuilt()
const name = `pazar-${readVersion(ROOT)}`
const bytes = toTarball(name, readReleaseFiles(ROOT, readVersion(ROOT)))
if (bytes.length > RELEASE_BYTES_MAX)
  throw new Error(`The release has ${bytes.length} bytes, which is too many.`)
mkdirSync(DIST, { recursive: true })
writeFileSync(path.join(DIST, `${name}.tgz`), bytes)
console.log(
  `dist/${name}.tgz  ${bytes.length} bytes  sha256 ${createHash('sha256').update(bytes).digest('hex')}`,
)
