import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionTimeline } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { payFor, requireRefund } from '../../../test/refunds.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
await owner.stepUp()
await owner.post('/sdk/project/update', { projectId, events: ['payment.result', 'refund.result'] })

const urlOf = (id: string, project = projectId) =>
  `/portal/api/projects/${project}/transactions/${id}/timeline`

async function read(id: string): Promise<TransactionTimeline> {
  const response = await owner.get(urlOf(id))
  assert.equal(response.status, 200, response.text)
  return response.json<TransactionTimeline>()
}

test('only the callbacks of a payment and of its refunds are listed, the oldest first', async () => {
  const { id } = await payFor(deps, projectId, { customId: 'order-1' })
  await payFor(deps, projectId, { customId: 'order-2' })
  await requireRefund(owner, { id, projectId }, { amount: '500' })
  const { atBankAt, callbacks } = await read(id)
  assert.equal(atBankAt, null)
  assert.deepEqual(
    callbacks.map(({ callback }) => [callback.event, callback.transactionId]),
    [
      ['payment.result', id],
      ['refund.result', id],
    ],
  )
})

test('each callback has its attempts with time and status code', async () => {
  const { id } = await payFor(deps, projectId, { customId: 'order-3' })
  const [unsent] = (await read(id)).callbacks
  assert.deepEqual(unsent!.attempts, [])
  await rows(
    deps.db,
    `insert into callback_attempts (project_id, callback_id, attempt, trigger, url, started_at, duration_ms, outcome, status_code)
     values ($1, $2, 1, 'auto', 'https://shop.example.me/callback', '2026-11-16T10:00:00Z', 41, 'http_error', 500)`,
    [projectId, unsent!.callback.id],
  )
  const [attempted] = (await read(id)).callbacks
  assert.partialDeepStrictEqual(attempted!.attempts, [
    { attempt: 1, startedAt: '2026-11-16T10:00:00.000Z', statusCode: 500, durationMs: 41 },
  ])
  assert.match(attempted!.attempts[0]!.cause ?? '', /500/)
})

test('the timeline has the time at which the payer was sent to the bank', async () => {
  const { id } = await payFor(deps, projectId, { customId: 'order-4' })
  await rows(deps.db, "update transactions set action_at = '2026-11-16T09:00:00Z' where id = $1", [id])
  assert.equal((await read(id)).atBankAt, '2026-11-16T09:00:00.000Z')
})

test('a payment that the reader may not see gets 404, and a text that is not an id gets 400', async () => {
  const { id } = await payFor(deps, projectId, { customId: 'order-5' })
  const { id: otherProjectId } = await owner.addProject()
  const stranger = await signUp(app)
  const unknown = '01a1e652-5f4e-7cc0-8c13-9d5360ed8c7a'
  for (const response of [
    await owner.get(urlOf(id, otherProjectId)),
    await stranger.get(urlOf(id)),
    await owner.get(urlOf(unknown)),
  ])
    assert.deepEqual([response.status, response.code], [404, 'not_found'])
  assert.equal((await owner.get(urlOf('order-5'))).code, 'invalid_request')
})
