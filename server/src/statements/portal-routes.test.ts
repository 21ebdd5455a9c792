import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { findRefusedRoles } from '../../test/roles.ts'

const service = await startTestService()
const { app } = service
const owner = await signUp(app)
const { id } = await owner.addProject()
const urlOf = (projectId: string, query: string) => `/portal/api/projects/${projectId}/statement${query}`

test('without a session or token there is no statement', async () => {
  const response = await new Client(app).get(urlOf(id, '?month=2026-11'))
  assert.deepEqual([response.status, response.code], [401, 'unauthenticated'])
})

test("another merchant's project is refused like a project that does not exist", async () => {
  const stranger = await signUp(app)
  for (const projectId of [id, 'tz4a98xxat96iws9zmbrgj3a']) {
    const response = await stranger.get(urlOf(projectId, '?month=2026-11'))
    assert.deepEqual([response.status, response.code], [404, 'not_found'])
  }
})

test('a token with the scope "read" gets the statement, as JSON and as a CSV file', async () => {
  const { token } = await makeToken(owner, { scope: 'read' })
  const apiClient = clientWithToken(app, token)
  assert.equal((await apiClient.get(urlOf(id, '?month=2026-11'))).status, 200)
  const file = await apiClient.get(urlOf(id, '?month=2026-11&format=csv'))
  assert.equal(file.status, 200)
  assert.match(String(file.headers['content-type']), /^text\/csv/)
  assert.equal(file.headers['content-disposition'], `attachment; filename="statement-${id}-2026-11.csv"`)
  assert.equal(
    file.text,
    '\uFEFFat,type,amount,transactionId,refundId,upstreamRef,date,disputeId,currency,amountDecimal\r\n',
  )
})

test('the name of a statement file contains "test" in test mode, and the currency if one is requested', async () => {
  for (const [query, end] of [
    ['', ''],
    ['&mode=live', ''],
    ['&mode=test', '-test'],
    ['&currency=RSD', '-RSD'],
    ['&mode=test&currency=RSD', '-test-RSD'],
  ] as const) {
    const file = await owner.get(urlOf(id, `?month=2026-11&format=csv${query}`))
    const name = `statement-${id}-2026-11${end}.csv`
    assert.equal(file.headers['content-disposition'], `attachment; filename="${name}"`)
  }
})

test('a missing or malformed month is refused, and so is any other wrong or unknown parameter', async () => {
  for (const query of [
    '',
    '?month=',
    '?month=2026-13',
    '?month=2026-00',
    '?month=2026-1',
    '?month=1999-12',
    '?month=2026-11-01',
    '?month=%32026-11%00',
    '?month=2026-11&format=xml',
    '?month=2026-11&mode=both',
    '?month=2026-11&currency=eur',
    '?month=2026-11&day=1',
    '?month=2026-11&month=2026-12',
  ]) {
    const response = await owner.get(urlOf(id, query))
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], query)
  }
})

test('a statement lists every day of its month', async () => {
  for (const [month, count] of [
    ['2028-02', 29],
    ['2026-02', 28],
    ['2026-12', 31],
    ['2999-12', 31],
    ['2000-01', 31],
  ] as const) {
    const { days } = (await owner.get(urlOf(id, `?month=${month}`))).json<{ days: { date: string }[] }>()
    assert.equal(days.length, count, month)
    assert.equal(days.at(-1)!.date, `${month}-${count}`)
  }
})

test('only the owner, admins and finance can read the statement', async () => {
  const refused = await findRefusedRoles(service, id, (one) => one.get(urlOf(id, '?month=2026-11')))
  assert.equal(refused, 'developer support')
})
