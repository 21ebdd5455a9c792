import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { insertPayments } from '../../../test/transactions.ts'

const { app, deps } = await startTestService()
let owner: Client
let url: string
let ids: string[]

before(async () => {
  owner = await signUp(app)
  const { id } = await owner.addProject()
  url = `/portal/api/projects/${id}/status-check`
  ids = await insertPayments(deps, id, [
    { customId: 'paid' },
    { customId: 'second-try', state: 'failed' },
    { customId: 'second-try', state: 'processing' },
    { customId: 'given-up', state: 'failed' },
    { customId: 'given-up', state: 'expired' },
    { customId: 'tested', mode: 'test' },
  ])
})

/** The status check returns the payment at position `index` of `ids`. */
const cases: [body: object, index: number | null, expected: object][] = [
  [{ customId: 'paid' }, 0, { found: true, state: 'succeeded', successful: true }],
  [{ customId: 'second-try' }, 2, { found: true, state: 'processing', successful: false }],
  [{ customId: 'given-up' }, 4, { found: true, state: 'expired', successful: false }],
  [{ customId: 'nobody' }, null, { found: false, state: null, successful: false }],
  [{ customId: 'tested' }, null, { found: false, state: null, successful: false }],
  [{ customId: 'tested', mode: 'test' }, 5, { found: true, state: 'succeeded', successful: true }],
]
for (const [body, index, expected] of cases) {
  test(`the owner's status check of ${JSON.stringify(body)} returns ${JSON.stringify(expected)} and the right transactionId`, async () => {
    const response = await owner.post(url, body)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(response.json(), {
      ...expected,
      transactionId: index === null ? null : ids[index],
      needsReview: false,
    })
  })
}

test('a status check without a customId, with a wrong mode or with unknown fields is 400', async () => {
  for (const body of [{}, { customId: '' }, { customId: 'a', mode: 'both' }, { customId: 'a', hash: 'x' }]) {
    assert.equal((await owner.post(url, body)).code, 'invalid_request', JSON.stringify(body))
  }
})

test('another owner’s project is not found, and without a session nothing is returned', async () => {
  assert.equal((await (await signUp(app)).post(url, { customId: 'paid' })).code, 'not_found')
  assert.equal((await new Client(app).post(url, { customId: 'paid' })).code, 'unauthenticated')
})
