// The payer's redirect waits for the callback if the merchant usually responds quickly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishBankStep } from '../../src/backends/sandbox.ts'
import { startDeliveryWorker } from '../../src/callbacks/worker-loop.ts'
import { rows } from '../accounts.ts'
import { signUp } from '../client.ts'
import { startTestService } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { Payer, toTransactionId } from '../payer.ts'
import { until } from '../until.ts'

test('if a merchant responds quickly, the payer is redirected only after the callback is delivered', async (t) => {
  const merchant = await startMerchant()
  const { app, deps } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  const worker = startDeliveryWorker(deps, (recorded) => deps.deliveryWaits.onRecorded(recorded))
  deps.wakeDelivery = () => worker.wake()
  const waits = t.mock.method(deps.deliveryWaits, 'waitForDelivery')
  t.after(async () => {
    await worker.stop()
    await merchant.close()
  })
  const owner = await signUp(app)
  const project = (await owner.addProject({ apiUrl: merchant.url })).id
  const pay = async (order: number) => {
    const page = await new Payer(app).pay(`/pay?amount=1500&project=${project}&data=&customId=order-${order}`)
    assert.equal(page.status, 303, page.text)
    return toTransactionId(page.location)
  }
  const statusOf = async (id: string) => {
    const text = 'select status from callback_states where transaction_id = $1'
    const [row] = await rows<{ status: string }>(deps.db, text, [id])
    return row!.status
  }
  // A redirect waits only if the last five accepted callbacks had quick responses.
  for (let order = 1; order <= 5; order += 1) await pay(order)
  await until(
    async () => (await rows(deps.db, `select from callback_states where status = 'delivered'`)).length === 5,
  )

  // Without the wait, the payer would be back before this response.
  merchant.reply = (response) => setTimeout(() => response.writeHead(200).end(), 150)
  const transactionId = await pay(6)
  const callback = merchant.received.find((request) => request.body['transactionId'] === transactionId)
  assert.ok(callback, 'the payer came back before the callback')
  assert.equal(await statusOf(transactionId), 'delivered')

  type Detail = { payerReturn: { at: string; aheadMs: number } | null }
  const { payerReturn } = await until(async () => {
    const detail = await owner.get(`/portal/api/projects/${project}/deliveries/${callback.id}`)
    const found = detail.json<Detail>()
    return found.payerReturn && found
  }, 'the return is recorded')
  assert.ok(payerReturn!.aheadMs >= 0)
  const payer = new Payer(app)
  const atBank = await payer.pay(`/pay?amount=4004&project=${project}&data=&customId=at-bank`)
  const id = toTransactionId(atBank.location)
  await finishBankStep(deps.db, id, 'approve')
  const afterBank = await payer.open(`/pay/${id}?return=1`)
  assert.match(afterBank.location ?? '', /status=success/)
  assert.equal(await statusOf(id), 'delivered')

  // Each wait is limited to three seconds.
  assert.deepEqual(new Set(waits.mock.calls.map((call) => call.arguments[1])), new Set([3_000]))
})
