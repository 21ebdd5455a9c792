import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ensurePackagesBuilt } from '../../scripts/build-packages.ts'
import { ensurePortalBuilt } from '../../scripts/build-portal.ts'
import { toTarball } from '../../scripts/pack-tarball.ts'
import { readReleaseFiles } from '../../scripts/release-files.ts'
import { ROOT } from '../../scripts/test-files.ts'
import { countRounds } from './counts.ts'
import { createTestDatabase } from './database.ts'
import { startServiceProcess } from './service-process.ts'

// The test downloads a hundred packages, so only `npm run prove` runs it.
const skip =
  countRounds('releaseInstalls') === 0 ? 'it installs packages, so only npm run prove runs it' : false
/** Even from a slow registry, an installation takes less time. */
const INSTALL_TIMEOUT_MS = 5 * 60_000

test(
  'a packed release can be installed without the development dependencies and serves pages',
  { skip },
  async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'pazar-install-'))
    await ensurePortalBuilt()
    await ensurePackagesBuilt()
    writeFileSync(path.join(dir, 'release.tgz'), toTarball('pazar', readReleaseFiles(ROOT, '2026.11.6')))
    execFileSync('tar', ['xzf', 'release.tgz'], { cwd: dir })
    const root = path.join(dir, 'pazar')
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: root, stdio: 'pipe', timeout: INSTALL_TIMEOUT_MS })
    const database = await createTestDatabase()
    const env = { DATABASE_URL: database.url, DATA_DIR: path.join(dir, 'data') }
    const service = await startServiceProcess(env, { root })
    try {
      const health = (await (await fetch(`${service.baseUrl}/healthz`)).json()) as { version: string }
      assert.equal(health.version, '2026.11.6')
      for (const page of [
        '/readyz',
        '/en/sign-in',
        '/en/docs',
        '/cnr/docs/changelog',
        '/packages/pazar-sdk.tgz',
      ])
        assert.equal((await fetch(service.baseUrl + page)).status, 200, page)
    } finally {
      await service.stop()
      await database.drop()
      rmSync(dir, { recursive: true, force: true })
    }
  },
)
