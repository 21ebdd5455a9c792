import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { readIconFiles } from './icons.ts'

const service = await startTestService({ OPERATOR_NAME: '</script> & "co"' })
const visitor = new Client(service.app)

/** A PNG has its width and height in bytes 16 to 23, in its first chunk. */
function sizeOf(png: Buffer): number[] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('the pictures have the expected width and height, and every file is smaller than 40 kB', () => {
  const files = readIconFiles('Pazar')
  const bytesOf = (name: string) => files.get(name)!.bytes
  assert.deepEqual(sizeOf(bytesOf('/apple-touch-icon.png')), [180, 180])
  assert.deepEqual(sizeOf(bytesOf('/icon-512.png')), [512, 512])
  assert.deepEqual(sizeOf(bytesOf('/preview.png')), [1200, 630])
  // The file has a header of 22 bytes, and then a PNG.
  assert.deepEqual(sizeOf(bytesOf('/favicon.ico').subarray(22)), [32, 32])
  for (const [name, { bytes }] of files) assert.ok(bytes.length < 40_000, `${name}: ${bytes.length}`)
})

test('each file is served with its type and may be cached for a day; other sites may show only the preview', async () => {
  for (const [name, { type, bytes }] of readIconFiles('</script> & "co"')) {
    const response = await service.app.inject({ url: name })
    assert.equal(response.statusCode, 200, name)
    assert.equal(response.headers['content-type'], type)
    assert.equal(response.headers['cache-control'], 'public, max-age=86400')
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
    assert.match(String(response.headers['content-security-policy']), /^default-src 'none'/)
    const policy = name === '/preview.png' ? 'cross-origin' : 'same-origin'
    assert.equal(response.headers['cross-origin-resource-policy'], policy, name)
    assert.ok(response.rawPayload.equals(bytes), name)
  }
})

test('the portal, the docs and the home page link to the icons, and every linked file exists', async () => {
  for (const page of ['/en/sign-in', '/en/docs', '/en', '/cnr/projects']) {
    const response = await visitor.get(page)
    const { text } =
      response.status === 302 ? await visitor.get(String(response.headers['location'])) : response
    const links = [...text.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)]
    assert.ok(links.length >= 2, page)
    for (const [, href = ''] of links) assert.equal((await visitor.get(href)).status, 200, href)
  }
  const manifest = (await visitor.get('/site.webmanifest')).json<{ name: string; icons: { src: string }[] }>()
  assert.equal(manifest.name, '</script> & "co"')
  for (const { src } of manifest.icons) assert.equal((await visitor.get(src)).status, 200, src)
})
