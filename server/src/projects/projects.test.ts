import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, GOOD_PROJECT, signUp } from '../../test/client.ts'
import { countRounds } from '../../test/counts.ts'
import { startTestService } from '../../test/harness.ts'
import { countRows } from '../../test/rows.ts'
import { statement } from '../db/pool.ts'

const service = await startTestService()

test('a project is added, read, listed and changed, and never contains a secret', async () => {
  const owner = await signUp(service.app)
  const added = await owner.addProject()
  assert.deepEqual(Object.keys(added).toSorted(), [
    'apiUrl',
    'archivedAt',
    'brand',
    'createdAt',
    'events',
    'id',
    'name',
    'ownerVerified',
    'requireSignedLinks',
    'resultUrl',
    'role',
    'secretRotatedAt',
    'testApiUrl',
    'testSecretRotatedAt',
    'timeZone',
    'updatedAt',
  ])
  assert.match(added.id, /^[a-z][a-z0-9]{23}$/)
  assert.deepEqual((await owner.post('/sdk/project/get', { projectId: added.id })).json(), added)
  assert.deepEqual((await owner.post('/sdk/project/list')).json(), { projects: [added], limit: 5 })
  const changed = await owner.post('/sdk/project/update', { projectId: added.id, name: 'Nova knjižara' })
  assert.equal(changed.status, 200)
  assert.equal(changed.json()['name'], 'Nova knjižara')
  assert.equal(changed.json()['apiUrl'], added['apiUrl'])
})

test("a new project gets its owner's time zone unless the request names one; its zone can be changed, and an unknown zone is refused", async () => {
  const owner = await signUp(service.app)
  await owner.post('/portal/api/account', { timeZone: 'America/New_York' })
  const added = await owner.addProject()
  assert.equal(added['timeZone'], 'America/New_York')
  await owner.post('/portal/api/account', { timeZone: 'Europe/Podgorica' })
  const projectId = added.id
  assert.equal((await owner.post('/sdk/project/get', { projectId })).json()['timeZone'], 'America/New_York')
  const changed = await owner.post('/sdk/project/update', { projectId, timeZone: 'asia/tokyo' })
  assert.equal(changed.json()['timeZone'], 'Asia/Tokyo')
  assert.equal((await owner.addProject({ timeZone: 'Europe/London' }))['timeZone'], 'Europe/London')
  for (const timeZone of ['', 'Mars/Olympus', '+02:00', 'UTC+2', 'x'.repeat(65), 7, null])
    for (const [url, body] of [
      ['/sdk/project/update', { projectId, timeZone }],
      ['/sdk/project/add', { ...GOOD_PROJECT, timeZone }],
    ] as const) {
      const refused = await owner.post(url, body)
      assert.deepEqual([refused.status, refused.code], [400, 'invalid_request'], String(timeZone))
    }
})

test('a list request without a body is accepted', async () => {
  const owner = await signUp(service.app)
  for (const type of [undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
    const headers = type === undefined ? {} : { 'content-type': type, 'content-length': '0' }
    const response = await owner.send('POST', '/sdk/project/list', undefined, headers)
    assert.deepEqual(response.json(), { projects: [], limit: 5 }, type)
  }
})

test('a sixth project is refused with too_many, and archiving a project frees its slot', async () => {
  const owner = await signUp(service.app)
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.push((await owner.addProject()).id)
  const sixth = await owner.post('/sdk/project/add', GOOD_PROJECT)
  assert.equal(sixth.status, 409)
  assert.equal(sixth.code, 'too_many')

  await owner.stepUp()
  const archived = await owner.post(`/portal/api/projects/${ids[0]}/archive`)
  assert.equal(archived.status, 200)
  assert.notEqual(archived.json()['archivedAt'], null)
  await owner.addProject()
  const restored = await owner.post(`/portal/api/projects/${ids[0]}/restore`)
  assert.equal(restored.code, 'too_many')
  await owner.post(`/portal/api/projects/${ids[1]}/archive`)
  assert.equal((await owner.post(`/portal/api/projects/${ids[0]}/restore`)).json()['archivedAt'], null)
})

test('parallel requests to two replicas never create a sixth project', async (t) => {
  const other = await service.replica()
  const rounds = countRounds('projectLimitRaces', t)
  for (let round = 0; round < rounds; round += 1) {
    const owner = await signUp(service.app)
    for (let n = 0; n < 4; n += 1) await owner.addProject()
    const ownerElsewhere = new Client(other.app)
    for (const [name, value] of owner.jar) ownerElsewhere.jar.set(name, value)
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? owner : ownerElsewhere).post('/sdk/project/add', GOOD_PROJECT),
      ),
    )
    assert.equal(responses.filter((one) => one.status === 201).length, 1)
    assert.equal(responses.filter((one) => one.code === 'too_many').length, 49)
  }
})

test('the database refuses a sixth slot', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const useSixthSlot = statement('test.squeeze', 'update projects set slot = 6 where id = $1')
  await assert.rejects(service.deps.db.query(useSixthSlot, [id]), /projects_slot_check/)
})

const WRONG_FIELDS: [what: string, body: Record<string, unknown>, path: string][] = [
  ['no name', { name: undefined }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a blank name', { name: '   ' }, 'name'],
  ['a name of 81 characters', { name: 'š'.repeat(81) }, 'name'],
  ['a number as name', { name: 5 }, 'name'],
  ['a name that reverses the text direction', { name: 'Knjiga\u202Etxt' }, 'name'],
  ['a name with a zero-width character', { name: 'a\u200Bb' }, 'name'],
  ['a name with a line break', { name: 'a\nb' }, 'name'],
  ['a name with NUL', { name: 'a\u0000b' }, 'name'],
  ['a name with half a surrogate pair', { name: 'a\ud800' }, 'name'],
  ['a name with many combining marks', { name: `a${'\u0300'.repeat(60)}` }, 'name'],
  ['no return URL', { resultUrl: undefined }, 'resultUrl'],
  ['a list as callback URL', { apiUrl: ['https://example.com'] }, 'apiUrl'],
  ['a string as requireSignedLinks', { requireSignedLinks: 'true' }, 'requireSignedLinks'],
]

for (const [caseName, fields, path] of WRONG_FIELDS) {
  test(`a project with ${caseName} is refused, the field is named, and nothing is stored`, async () => {
    const owner = await signUp(service.app)
    const rowsBefore = await countRows(service.deps.db)
    const response = await owner.post('/sdk/project/add', { ...GOOD_PROJECT, ...fields })
    assert.equal(response.status, 400, response.text)
    assert.equal(response.code, 'invalid_request')
    assert.equal(response.json<{ errors: { path: string }[] }>().errors[0]?.path, path)
    assert.deepEqual(await countRows(service.deps.db), rowsBefore)
  })
}

const UNKNOWN_KEYS = [
  'id',
  'ownerId',
  'owner_id',
  'slot',
  'secret',
  'testSecret',
  'sealed',
  'archivedAt',
  'createdAt',
]
  .concat([
    'updatedAt',
    'secretRotatedAt',
    'kyc',
    'mode',
    'version',
    'account',
    'constructor',
    'prototype',
    'toString',
  ])
  .concat([
    'limit',
    'live',
    'test',
    'url',
    'callbackUrl',
    'result_url',
    'api_url',
    'Name',
    'name ',
    'n\u0430me', // U+0430 is the Cyrillic letter that looks like "a".
    '',
    '0',
    '$ne',
  ])

test('unknown fields are refused when a project is added or updated', async () => {
  assert.ok(UNKNOWN_KEYS.length >= 30)
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  for (const key of UNKNOWN_KEYS) {
    const extra = JSON.stringify({ [key]: 'x' }).slice(1)
    for (const [url, body] of [
      ['/sdk/project/add', GOOD_PROJECT],
      ['/sdk/project/update', { projectId: id, name: 'x' }],
    ] as const) {
      const response = await owner.post(url, `${JSON.stringify(body).slice(0, -1)},${extra}`)
      assert.equal(response.status, 400, `${url} ${key}: ${response.text}`)
    }
  }
  const poisoned = await owner.post(
    '/sdk/project/add',
    `{"__proto__":{"name":"x"},${JSON.stringify(GOOD_PROJECT).slice(1)}`,
  )
  assert.equal(poisoned.json<{ errors: { code: string }[] }>().errors[0]?.code, 'forbidden_key')
})

test('a project of another account gets the same "not found" response as a project that does not exist', async () => {
  const owner = await signUp(service.app)
  const stranger = await signUp(service.app)
  await stranger.stepUp()
  const { id } = await owner.addProject()
  const routes: [method: 'GET' | 'POST', url: string, body?: unknown][] = [
    ['POST', '/sdk/project/get', { projectId: id }],
    ['POST', '/sdk/project/update', { projectId: id, name: 'mine now' }],
    ['POST', '/sdk/project/seeSecret', { projectId: id }],
    ['POST', '/sdk/project/rotateSecret', { projectId: id }],
    ['GET', `/portal/api/projects/${id}/test-secret`],
    ['POST', `/portal/api/projects/${id}/test-secret/rotate`, {}],
    ['POST', `/portal/api/projects/${id}/archive`, {}],
    ['POST', `/portal/api/projects/${id}/restore`, {}],
    ['GET', `/portal/api/projects/${id}/history`],
  ]
  for (const [method, url, body] of routes) {
    const strangersResponse = await stranger.send(method, url, body)
    const missing = await stranger.send(
      method,
      url.replace(id, 'abcdefghijklmnopqrstuvwx'),
      body && JSON.stringify(body).replace(id, 'abcdefghijklmnopqrstuvwx'),
    )
    assert.equal(strangersResponse.status, 404, `${url}: ${strangersResponse.text}`)
    const { requestId: _one, ...first } = strangersResponse.json()
    const { requestId: _two, ...second } = missing.json()
    assert.deepEqual(first, second)
  }
})

test('without a session, every route below /sdk/project is refused before its body is checked', async () => {
  const nobody = new Client(service.app)
  for (const route of ['add', 'update', 'list', 'get', 'seeSecret', 'rotateSecret']) {
    const response = await nobody.post(`/sdk/project/${route}`, { nonsense: true })
    assert.equal(response.status, 401)
    assert.equal(response.code, 'unauthenticated')
  }
})
