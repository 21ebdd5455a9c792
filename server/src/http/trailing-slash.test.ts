import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { findPathWithoutSlash } from './trailing-slash.ts'

test('for GET and HEAD, slashes at the end of the path are removed', () => {
  assert.equal(findPathWithoutSlash('GET', '/en/docs/qr/'), '/en/docs/qr')
  assert.equal(findPathWithoutSlash('HEAD', '/docs///?project=a&q=/'), '/docs?project=a&q=/')
  for (const url of ['/', '/en', '/?next=/', '/en/docs?q=a/'])
    assert.equal(findPathWithoutSlash('GET', url), null, url)
  assert.equal(findPathWithoutSlash('POST', '/pay/'), null)
})

test('a path with very many slashes is read in linear time', () => {
  // If the search started again at every slash, this test would exceed the run's time limit.
  const path = `/a${'/'.repeat(1_000_000)}b`
  assert.equal(findPathWithoutSlash('GET', `${path}//`), path)
})

test('no redirect leads to another host', () => {
  for (const url of [
    '//',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    'http://evil.example/a/',
  ])
    assert.equal(findPathWithoutSlash('GET', url), null, url)
})

test('pages of the portal, the docs and the checkout redirect to the URL without the slash', async () => {
  const { app } = await startTestService()
  for (const path of [
    '/cnr',
    '/en/sign-in',
    '/en/projects',
    '/docs',
    '/cnr/docs',
    '/en/docs/callbacks',
    '/pay',
  ]) {
    const response = await app.inject({ method: 'GET', url: `${path}/?a=1` })
    assert.equal(response.statusCode, 301, path)
    assert.equal(response.headers.location, `${path}?a=1`)
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
  }
  // A path that begins with two slashes is still an unknown URL.
  assert.equal((await app.inject({ method: 'GET', url: '//evil.example/' })).statusCode, 404)
})
