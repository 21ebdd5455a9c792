import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ensurePackagesBuilt } from '../../../scripts/build-packages.ts'
import { packTarball } from '../../../scripts/pack-tarball.ts'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { createGuards } from '../accounts/guards.ts'
import { createHttpServer } from '../http/server.ts'
import { openLibrary } from './library.ts'
import { openPackages, PACKAGES } from './packages.ts'
import { registerDocsRoutes } from './routes.ts'

await ensurePackagesBuilt()
const { app, deps } = await startTestService()
const dir = mkdtempSync(path.join(tmpdir(), 'pazar-packages-'))
test.after(() => rmSync(dir, { recursive: true, force: true }))

for (const name of PACKAGES) {
  test(`${name} is served as a file, and a client that already has it gets 304`, async () => {
    const response = await app.inject({ url: `/packages/${name}` })
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['content-type'], 'application/gzip')
    assert.equal(response.headers['content-encoding'], undefined)
    assert.equal(response.headers['cache-control'], 'public, max-age=300')
    const etag = String(response.headers['etag'])
    assert.match(etag, /^"[\w-]{43}"$/)
    const file = path.join(dir, name)
    writeFileSync(file, response.rawPayload)
    const manifest = execFileSync('tar', ['xzOf', file, 'package/package.json'], { encoding: 'utf8' })
    const { name: packageName, dependencies } = JSON.parse(manifest) as {
      name: string
      dependencies?: object
    }
    assert.equal(packageName, name.replace(/^pazar-(\w+)\.tgz$/, '@pazar/$1'))
    assert.equal(dependencies, undefined, 'the package needs no other package')
    const secondResponse = await app.inject({ url: `/packages/${name}`, headers: { 'if-none-match': etag } })
    assert.deepEqual(
      [secondResponse.statusCode, secondResponse.rawPayload.length, secondResponse.headers['etag']],
      [304, 0, etag],
    )
    const headResponse = await app.inject({ method: 'HEAD', url: `/packages/${name}` })
    assert.deepEqual([headResponse.statusCode, headResponse.headers['etag']], [200, etag])
    const post = await app.inject({ method: 'POST', url: `/packages/${name}` })
    assert.equal(post.statusCode, 405)
  })
}

test('the path /packages serves no other file', async () => {
  for (const url of ['/packages', '/packages/sources.txt', '/packages/..%2fpackage.json'])
    assert.equal((await new Client(app).get(url)).status, 404, url)
})

test('if the packages were not built, the response is 404 and says how to build them', async () => {
  const { app: bareApp, tools } = await createHttpServer(deps.config, deps.log, deps.metrics)
  const library = openLibrary(bareApp, deps.config)
  registerDocsRoutes(
    bareApp,
    deps,
    tools,
    createGuards(deps, tools),
    library,
    openPackages(path.join(dir, 'none')),
  )
  const response = await new Client(bareApp).get('/packages/pazar-sdk.tgz')
  assert.deepEqual([response.status, response.code], [404, 'not_found'])
  const [error] = response.json<{ errors: { path: string; code: string; message: string }[] }>().errors
  assert.deepEqual([error?.path, error?.code], ['pazar-sdk.tgz', 'package_not_packed'])
  assert.match(error?.message ?? '', /npm run packages/)
  await bareApp.close()
})

test('the same files are packed into the same bytes, and executables stay executable', () => {
  const sourceDir = path.join(dir, 'made')
  mkdirSync(path.join(sourceDir, 'inner'), { recursive: true })
  writeFileSync(path.join(sourceDir, 'run.js'), 'x'.repeat(512), { mode: 0o755 })
  writeFileSync(path.join(sourceDir, 'inner/text.md'), 'Šta')
  const first = packTarball(sourceDir)
  assert.ok(first.equals(packTarball(sourceDir)))
  writeFileSync(path.join(dir, 'made.tgz'), first)
  const listed = execFileSync('tar', ['tvzf', path.join(dir, 'made.tgz')], { encoding: 'utf8' })
  assert.match(listed, /^-rwxr-xr-x .*512 .* package\/run\.js$/m)
  assert.match(listed, /^-rw-r--r-- .*4 .* package\/inner\/text\.md$/m)
  writeFileSync(path.join(sourceDir, 'n'.repeat(120)), '')
  assert.throws(() => packTarball(sourceDir), /too long a name/)
})
