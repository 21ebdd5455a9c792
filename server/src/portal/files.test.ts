import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rows } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { findPortalBuild } from './build.ts'
import { deleteOldFiles, storeFiles } from './files-store.ts'

const { app, deps } = await startTestService()
const { db } = deps
const visitor = new Client(app)
const toUrl = (name: string) => `/portal-assets/${name}`

function toRelease(name: string, text: string) {
  const plain = Buffer.from(text)
  return new Map([
    [name, { plain, gzip: gzipSync(plain), brotli: brotliCompressSync(plain) }],
    [name.replace('.js', '.css'), { plain: Buffer.from('a{}'), gzip: null, brotli: null }],
  ])
}

const ownFiles = findPortalBuild()!.assets
const earlierFiles = toRelease('page-Before01.js', 'export const release = "before"')

const letPass = (interval: string) =>
  rows(db, 'update portal_files set replaced_at = replaced_at - $1::interval', [interval])
const listStored = async () =>
  (await rows<{ name: string }>(db, 'select name from portal_files order by name')).map(({ name }) => name)

test('after an upgrade, the files of the previous release are served unchanged for 30 days', async () => {
  await storeFiles(db, earlierFiles)
  await storeFiles(db, ownFiles)
  const uncompressed = await visitor.get(toUrl('page-Before01.js'))
  assert.equal(uncompressed.status, 200, uncompressed.text)
  assert.equal(uncompressed.text, 'export const release = "before"')
  assert.equal(uncompressed.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.match(String(uncompressed.headers['cache-control']), /immutable/)
  for (const coding of ['br', 'gzip']) {
    const packed = await visitor.get(toUrl('page-Before01.js'), { 'accept-encoding': coding })
    assert.equal(packed.headers['content-encoding'], coding)
  }
  const style = await visitor.get(toUrl('page-Before01.css'), { 'accept-encoding': 'br' })
  assert.deepEqual([style.status, style.headers['content-encoding']], [200, undefined])
  assert.equal(style.headers['content-type'], 'text/css; charset=utf-8')

  await letPass('29 days 23 hours')
  assert.equal(await deleteOldFiles(db), 0)
  await letPass('1 hour')
  assert.equal(await deleteOldFiles(db), 2)
  assert.deepEqual(await listStored(), [...ownFiles.keys()].toSorted())
})

test('when an earlier release is started again, the files of both releases stay', async () => {
  await storeFiles(db, earlierFiles)
  await storeFiles(db, ownFiles)
  await letPass('31 days')
  await storeFiles(db, earlierFiles)
  assert.equal(await deleteOldFiles(db), 0)
  assert.deepEqual(await listStored(), [...earlierFiles.keys(), ...ownFiles.keys()].toSorted())
  // Three processes of each release start at the same time.
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => storeFiles(db, n % 2 === 0 ? ownFiles : earlierFiles)),
  )
  assert.equal((await visitor.get(toUrl('page-Before01.js'))).status, 200)
})

test('an invalid file name gives 404 even if such a file is stored, and so does an unknown script', async () => {
  for (const name of ['page.html', '../page.js', 'page.js.br', 'a/b.js', '.js', `${'a'.repeat(300)}.js`])
    await rows(db, `insert into portal_files (name, plain) values ($1, '<script>') on conflict do nothing`, [
      name,
    ])
  for (const name of [
    'page.html',
    '..%2fpage.js',
    'page.js.br',
    'a/b.js',
    '.js',
    `${'a'.repeat(300)}.js`,
    'none.js',
  ])
    assert.equal((await visitor.get(toUrl(name))).status, 404, name)
})
