import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenDisputesView, TransactionDetails } from '@pazar/contract'
import { copyClient, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { payFor } from '../../test/refunds.ts'
import type { DisputeReport } from '../backends/backend.ts'
import { currency } from '../cli/currency.ts'
import { toDate } from '../lib/clock.ts'
import { recordDispute } from './record-dispute.ts'

const service = await startTestService()
const { app, deps } = service
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const path = `/portal/api/projects/${projectId}/open-disputes`
const DAY_MS = 24 * 3_600_000

/** Returns the id of a disputed payment. `days`: the time left to respond. */
async function dispute(status: DisputeReport['status'], days: number | null, mode: 'live' | 'test' = 'live') {
  const payment = await payFor(deps, projectId, { amount: 1_000n, mode })
  await recordDispute(deps, payment, {
    paymentId: payment.id,
    chargeId: null,
    status,
    amount: payment.amount,
    currency: 'EUR',
    upstreamRef: `du_${payment.id}`,
    reason: 'fraudulent',
    respondBy: days === null ? null : toDate(deps.clock.nowMs() + days * DAY_MS),
  })
  return payment.id
}

async function read(query = ''): Promise<OpenDisputesView> {
  return (await owner.get(`${path}${query}`)).json<OpenDisputesView>()
}

test('disputes that the merchant can still respond to are listed by deadline, separately for live and test mode', async () => {
  assert.deepEqual(await read(), { count: 0, disputes: [] })
  const inquiry = await dispute('inquiry', 9)
  const open = await dispute('open', 2)
  const withoutDeadline = await dispute('open', null)
  const inTest = await dispute('open', 3, 'test')
  await dispute('won', 1)
  await dispute('lost', 1)
  await dispute('open', -1)
  const { count, disputes } = await read()
  assert.equal(count, 3)
  assert.deepEqual(
    disputes.map(({ transactionId, state }) => [transactionId, state]),
    [
      [open, 'open'],
      [inquiry, 'inquiry'],
      [withoutDeadline, 'open'],
    ],
  )
  assert.partialDeepStrictEqual(await read('?mode=test'), { count: 1, disputes: [{ transactionId: inTest }] })
})

test('only five disputes are listed, but all are counted', async () => {
  const { count: countBefore } = await read()
  for (let days = 10; days < 15; days += 1) await dispute('open', days)
  const { count, disputes } = await read()
  assert.equal(count, countBefore + 5)
  assert.equal(disputes.length, 5)
})

test('strangers, invalid queries and requests without a session are refused', async () => {
  const stranger = await signUp(app)
  assert.equal((await stranger.get(path)).code, 'not_found')
  assert.equal((await owner.get(`${path}?mode=both`)).code, 'invalid_request')
  assert.equal((await new Client(app).get(path)).code, 'unauthenticated')
})

test('after a change of currency, a dispute keeps the old decimals, even if the dispute was stored without decimals', async () => {
  const id = await dispute('open', 1)
  await currency.run(deps, ['change', 'JPY:0'])
  const { app: changed } = await service.replica({ CURRENCY: 'JPY', AMOUNT_SCALE: '0' })
  const viewer = copyClient(owner, changed)
  for (const scale of [2, null]) {
    await rows(deps.db, 'update disputes set amount_scale = $1', [scale])
    const { disputes } = (await viewer.get(path)).json<OpenDisputesView>()
    assert.partialDeepStrictEqual(disputes[0], {
      transactionId: id,
      amount: '1000',
      currency: 'EUR',
      scale: 2,
    })
    const details = await viewer.post('/sdk/transaction/get', { projectId, transactionId: id })
    assert.equal(details.json<TransactionDetails>().disputes[0]?.scale, 2)
  }
})
