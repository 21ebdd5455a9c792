import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)
const projectId = (await owner.addProject()).id

const refused: [name: string, body: string][] = [
  ['page 0', '{"page":0}'],
  ['a negative page', '{"page":-1}'],
  ['a page after the last allowed page', '{"page":10001}'],
  ['a page of 1.5', '{"page":1.5}'],
  ['a page of 1e308', '{"page":1e308}'],
  ['a page of 2^63', '{"page":9223372036854775808}'],
  ['a page as text', '{"page":"1"}'],
  ['limit 0', '{"limit":0}'],
  ['a limit above 100', '{"limit":101}'],
  ['a limit of a thousand million', '{"limit":1000000000}'],
  ['a limit with SQL', '{"limit":"5;drop table transactions"}'],
  ['an unknown state', '{"state":"paid"}'],
  ['an unknown mode', '{"mode":"both"}'],
  ['an empty customId', '{"customId":""}'],
  ['an empty search', '{"q":""}'],
  ['a search of more than 128 characters', JSON.stringify({ q: 'x'.repeat(129) })],
  ['a search with NUL', '{"q":"a\\u0000"}'],
  ['a date without a time', '{"from":"2026-07-26"}'],
  ['a time without a zone', '{"to":"2026-07-26T00:00:00"}'],
  ['a day that does not exist', '{"from":"2026-02-30T00:00:00Z"}'],
  ['an unknown field', '{"project":"abcdefghijklmnopqrstuvwx"}'],
]
for (const [name, body] of refused) {
  test(`${name} is refused with 400, and the error names only this field`, async () => {
    const response = await owner.post('/sdk/transactions/list', body)
    assert.equal(response.status, 400, response.text)
    assert.equal(response.code, 'invalid_request')
    const [field] = Object.keys(JSON.parse(body) as object)
    assert.deepEqual(
      response.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path),
      [field],
    )
  })
}

test('the list requires a session', async () => {
  for (const url of ['/sdk/transactions/list', '/transactions/list']) {
    assert.equal((await new Client(app).post(url)).code, 'unauthenticated')
  }
})

test('if a page number is out of range, the error message names the lowest or highest allowed page', async () => {
  for (const [page, message] of [
    [1e308, 'Enter 10,000 or less.'],
    [-1e308, 'Enter 1 or more.'],
  ] as const) {
    const response = await owner.post('/sdk/transactions/list', { page })
    assert.deepEqual(
      response.json<{ errors: { message: string }[] }>().errors.map((one) => one.message),
      [message],
    )
  }
})

test('a page takes four statements: the session, the project, the total and the rows', async () => {
  for (const body of [{}, { state: 'failed' }, { customId: 'order-1' }, { q: 'order' }]) {
    const statementsBefore = deps.db.statementCount()
    await owner.post('/sdk/transactions/list', { projectId: projectId, ...body })
    assert.equal(deps.db.statementCount() - statementsBefore, 4, JSON.stringify(body))
  }
})
