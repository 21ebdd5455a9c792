// A service is killed (kill -9) at one of four steps of a refund. The request is repeated at another replica, and one
// refund is made. lib/failpoint.ts explains the steps.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { rows } from '../accounts.ts'
import { startMerchant } from '../merchant.ts'
import { addPayProject } from '../payer.ts'
import { startPayments } from '../payments.ts'
import { compareRefunds, makeRefundToken, payFor, postRefund, readSums } from '../refunds.ts'
import { createReplicas } from './replicas.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'

const upstream = await startUpstream()
const merchant = await startMerchant()
const { deps, env } = await startPayments({ ...upstream.env, CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const { id: projectId } = await addPayProject(deps, { apiUrl: merchant.url })
await rows(db, "update projects set events = '{payment.result,refund.result}' where id = $1", [projectId])
const token = await makeRefundToken(deps, projectId)

const replicas = createReplicas(env)
// This replica is not killed. It receives the repeated requests, and looks up the refunds of the killed replicas.
const survivor = await replicas.start()
after(async () => {
  await replicas.killAll()
  await merchant.close()
  await upstream.stop()
})

for (const [step, storedState, moment] of [
  ['R0', null, 'before it stores anything'],
  ['R1', 'processing', 'before it sends the refund'],
  ['R2', 'processing', 'before it stores the upstream’s response'],
  ['R3', 'succeeded', 'before it responds'],
] as const) {
  test(`when a service is killed at ${step} (${moment}) and the request is repeated, one refund is made`, async () => {
    const payment = await payFor(deps, projectId)
    const fields = { amount: '900', idempotencyKey: randomUUID() }
    const service = await replicas.start({ FAIL_AT: step, ROLE: 'web' })
    assert.equal((await postRefund(service.baseUrl, token, payment, fields)).status, 0)
    await until(() => service.child.signalCode !== null, 'the process is gone')
    const [row] = await rows<{ id: string; state: string }>(
      db,
      'select id, state from refunds where transaction_id = $1',
      [payment.id],
    )
    assert.equal(row?.state ?? null, storedState)
    const repeated = await postRefund(survivor.baseUrl, token, payment, fields)
    assert.equal(repeated.status, storedState === null ? 201 : 200)
    await until(async () => {
      await rows(db, "update refunds set next_check_at = now() where state = 'processing'")
      return (await readSums(db, payment.id)).refunded === 900n
    }, 'the payment is refunded')
    assert.deepEqual(await compareRefunds(db, await upstream.books()), [])
    const refunds = (await upstream.books()).refunds.filter((one) => one.paymentId === payment.id)
    assert.equal(refunds.length, 1)
    const findReports = () => merchant.received.filter((one) => one.body['refundId'] === repeated.refund?.id)
    await until(() => findReports().length > 0, 'the merchant is notified')
    const [report] = findReports()
    assert.deepEqual(
      [report?.body['event'], report?.body['refundStatus'], report?.body['refundedTotal']],
      ['refund.result', 'succeeded', '900'],
    )
    assert.ok(!('status' in report!.body) && !('successful' in report!.body))
    assert.equal(new Set(findReports().map(({ id }) => id)).size, 1)
  })
}
