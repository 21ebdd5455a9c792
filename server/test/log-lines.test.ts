import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import { addCallbackProject } from './deliveries.ts'
import { startTestService } from './harness.ts'
import { startMerchant } from './merchant.ts'
import { newOrder } from './payments.ts'
import { until } from './until.ts'

const merchant = await startMerchant()
after(() => merchant.close())
const { deps, logs } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })

const findLines = (msg: string) =>
  logs.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['msg'] === msg)

test('the end of a payment and each callback attempt are logged once, with ids but without the data of the order', async () => {
  const projectId = await addCallbackProject(deps, merchant.url)
  const order = newOrder(projectId, { amount: 4000n, customId: 'order-17', data: 'Marko Marković' })
  const outcome = await confirmPayment(deps, order)
  const transactionId = outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
  const worker = startDeliveryWorker(deps)
  await until(() => findLines('callback attempted').length === 1)
  await worker.stop()
  const [ended, ...more] = findLines('payment ended')
  assert.deepEqual(more, [])
  const ids = { transactionId, projectId }
  assert.partialDeepStrictEqual(ended, { ...ids, mode: 'live', state: 'failed', failureCode: 'declined' })
  const [attempt, ...moreAttempts] = findLines('callback attempted')
  assert.deepEqual(moreAttempts, [])
  const webhookId = merchant.received[0]!.headers['webhook-id']
  const attempted = { webhookId, event: 'payment.result', attempt: 1, outcome: 'delivered', statusCode: 200 }
  assert.partialDeepStrictEqual(attempt, { ...ids, ...attempted })
  assert.ok(!logs.join('').includes('Marko'))
})
