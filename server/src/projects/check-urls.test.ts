import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GOOD_PROJECT, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { countRows } from '../../test/rows.ts'
import { GOOD_URLS, PRIVATE_NAMES, REFUSED_URLS } from '../../test/url-corpus.ts'

const service = await startTestService()

test('every hostile URL is refused when a project is added or updated, and nothing is stored', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const rowsBefore = await countRows(service.deps.db)
  for (const [text] of REFUSED_URLS) {
    for (const [url, body] of [
      ['/sdk/project/add', { ...GOOD_PROJECT, apiUrl: text }],
      ['/sdk/project/update', { projectId: id, apiUrl: text }],
      // An empty test URL is not refused, because it removes the test URL. So `x` is sent instead.
      ['/sdk/project/update', { projectId: id, testApiUrl: text || 'x' }],
    ] as const) {
      const response = await owner.post(url, body)
      assert.equal(
        [422, 400].includes(response.status),
        true,
        `${url} ${text}: ${response.status} ${response.text}`,
      )
      // Text that PostgreSQL cannot store is refused before it is parsed as a URL.
      assert.equal(response.code, response.status === 422 ? 'invalid_url' : 'invalid_request')
    }
  }
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
})

test('a project is not added if the host of its callback URL resolves to a private address', async () => {
  const owner = await signUp(service.app)
  for (const name of Object.keys(PRIVATE_NAMES)) {
    const response = await owner.post('/sdk/project/add', { ...GOOD_PROJECT, apiUrl: `https://${name}/cb` })
    assert.equal(response.code, 'invalid_url', name)
    assert.equal(response.json<{ errors: { path: string }[] }>().errors[0]?.path, 'apiUrl')
  }
})

test('valid callback URLs are stored in normalised form', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  for (const [typed, stored] of GOOD_URLS) {
    const response = await owner.post('/sdk/project/update', { projectId: id, apiUrl: typed })
    assert.equal(response.status, 200, `${typed}: ${response.text}`)
    assert.equal(response.json()['apiUrl'], stored)
  }
})

test('a new project may have an http return URL, which can be replaced only by a public https URL', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject({ resultUrl: 'http://shop.example.com/hvala' })
  const change = (body: object) => owner.post('/sdk/project/update', { projectId: id, ...body })
  assert.equal((await change({ resultUrl: 'http://shop.example.com/drugo' })).code, 'invalid_url')
  assert.equal((await change({ resultUrl: 'https://shop.example.com/drugo' })).status, 200)
  assert.equal((await change({ resultUrl: 'http://shop.example.com/hvala' })).code, 'invalid_url')
  for (const bad of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https:evil.example',
    'https://a@evil.example',
    '\\\\evil',
  ]) {
    assert.equal(
      (await owner.post('/sdk/project/add', { ...GOOD_PROJECT, resultUrl: bad })).code,
      'invalid_url',
      bad,
    )
  }
})

test('an update that repeats the stored return URL is accepted, even if this URL would be refused as a new URL', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject({ resultUrl: 'http://localhost:8801' })
  for (const resultUrl of ['http://localhost:8801/', 'http://localhost:8801', 'HTTP://LOCALHOST:8801']) {
    const body = { projectId: id, name: `Nova ${resultUrl}`.slice(0, 80), resultUrl }
    const response = await owner.post('/sdk/project/update', body)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.json()['name'], body.name)
    assert.equal(response.json()['resultUrl'], 'http://localhost:8801/')
  }
  const history = await owner.get(`/portal/api/projects/${id}/history`)
  const { items } = history.json<{ items: { changes: Record<string, unknown> }[] }>()
  assert.equal(
    items.some(({ changes }) => 'from' in Object(changes['resultUrl'])),
    false,
  )
})

test('all invalid URLs are named in one response, on add and on update', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const paths = (response: { json: <T>() => T }) =>
    response.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path)
  const wrongUrls = {
    resultUrl: 'localhost:8080/hvala',
    apiUrl: 'http://localhost:8080/callback',
    testApiUrl: 'x',
  }
  const added = await owner.post('/sdk/project/add', { ...GOOD_PROJECT, ...wrongUrls })
  assert.equal(added.code, 'invalid_url')
  assert.deepEqual(paths(added), ['resultUrl', 'apiUrl', 'testApiUrl'])
  const changed = await owner.post('/sdk/project/update', { projectId: id, ...wrongUrls })
  assert.deepEqual(paths(changed), ['resultUrl', 'apiUrl', 'testApiUrl'])
})

test('a URL on the merchant’s own machine or local network is refused with a specific error code', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const update = async (field: string, url: string) => {
    const response = await owner.post('/sdk/project/update', { projectId: id, [field]: url })
    assert.equal(response.status, 422, url)
    return response.json<{ errors: { code: string; message: string }[] }>().errors[0]!
  }
  for (const host of ['localhost:3000', 'shop.localhost', '127.0.0.1:8080', '192.168.1.7', '[::1]:3000']) {
    for (const scheme of ['http', 'https']) {
      const callback = await update('apiUrl', `${scheme}://${host}/callback`)
      assert.equal(callback.code, 'url_own_machine', host)
      assert.match(callback.message, /through the listen command/)
      const page = await update('resultUrl', `${scheme}://${host}/thanks`)
      assert.equal(page.code, 'url_own_machine_page', host)
      assert.match(page.message, /new project/)
    }
  }
  assert.equal((await update('apiUrl', 'http://shop.example.com/callback')).code, 'url_scheme')
  assert.equal((await update('apiUrl', 'https://169.254.169.254/callback')).code, 'url_private_address')
  assert.equal((await update('apiUrl', 'https://user@localhost/callback')).code, 'url_userinfo')
})
