// A project's secret is rotated without downtime: a merchant's server that verifies with both secrets accepts every callback.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { safeVerifyCallback } from '@pazar/sdk'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import { signUp } from './client.ts'
import { startTestService } from './harness.ts'
import { startMerchant } from './merchant.ts'
import type { ReceivedCallback } from './merchant.ts'
import { payFor } from './refunds.ts'
import { until } from './until.ts'

const PAYERS = 4
const RECEIVED_MIN = 12

const merchant = await startMerchant()
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { app, deps } = service
const replica = await service.replica()
after(() => merchant.close())

async function isAccepted({ raw, headers }: ReceivedCallback, secret: readonly string[]): Promise<boolean> {
  return (await safeVerifyCallback(raw, headers, { secret, expectedAmount: '1500', mode: 'live' })).ok
}

async function rotateUnderLoad(load: AbortController): Promise<void> {
  const owner = await signUp(app)
  await owner.stepUp()
  const { id } = await owner.addProject({ apiUrl: merchant.url })
  const current = String((await owner.post('/sdk/project/seeSecret', { projectId: id })).json()['secret'])
  const next = String((await owner.post(`/portal/api/projects/${id}/next-secret`)).json()['secret'])
  const signedBy = { current: 0, next: 0 }
  const refused: string[] = []
  let secrets = [current, next]
  const receive = async (response: ServerResponse, received: ReceivedCallback) => {
    const isOk = await isAccepted(received, secrets)
    const signer = (await isAccepted(received, [next])) ? 'next' : 'current'
    if (!isOk) refused.push(received.id)
    signedBy[signer] += 1
    response.writeHead(isOk ? 200 : 400).end()
  }
  merchant.reply = (response, received) => void receive(response, received)

  const paid: string[][] = Array.from({ length: PAYERS }, () => [])
  const countPaid = () => paid.flat().length
  const payers = paid.map(async (paymentIds) => {
    while (!load.signal.aborted) {
      paymentIds.push((await payFor(deps, id, { amount: 1500n })).id)
      // Payments are faster than deliveries. This wait limits the queue.
      await until(
        () => load.signal.aborted || countPaid() - merchant.received.length < PAYERS * 3,
        'callbacks arrive',
      )
    }
  })
  const allPaid = Promise.all(payers)
  allPaid.catch(() => undefined) // The promise is awaited below. Until then a failed payment must not end the process.
  await until(() => signedBy.current >= RECEIVED_MIN, 'callbacks arrive before the rotation')
  const rotated = await owner.post('/sdk/project/rotateSecret', { projectId: id, useNext: true })
  assert.deepEqual([rotated.status, rotated.json()['secret']], [200, next])
  await until(() => signedBy.next >= RECEIVED_MIN, 'callbacks arrive after the rotation')

  // The merchant removes the old secret once all callbacks signed with it have arrived. Payments continue.
  const lengths = paid.map((paymentIds) => paymentIds.length)
  await until(
    () => paid.every((paymentIds, n) => paymentIds.length > lengths[n]!),
    'each payer has paid again',
  )
  const earlierPayments = paid.flat()
  const isReceived = (one: string) => merchant.received.some(({ body }) => body['transactionId'] === one)
  await until(() => earlierPayments.every(isReceived), 'the callbacks of the earlier payments have arrived')
  await until(
    () => signedBy.current + signedBy.next >= earlierPayments.length,
    'those callbacks have their responses',
  )
  const signedByOld = signedBy.current
  secrets = [next]
  const nextBefore = signedBy.next
  await until(() => signedBy.next >= nextBefore + RECEIVED_MIN, 'callbacks arrive with the new secret alone')
  load.abort()
  await allPaid
  await until(() => signedBy.current + signedBy.next === countPaid(), 'every callback has its response')

  assert.deepEqual(refused, [])
  assert.equal(new Set(merchant.received.map((one) => one.id)).size, countPaid())
  assert.equal(signedBy.current, signedByOld, 'the old secret signs nothing after the rotation')
}

test('a merchant’s server that knows both secrets refuses no callback during a rotation under load', async () => {
  // The workers are stopped at the end of this test, before the service is closed.
  const workers = [startDeliveryWorker(deps), startDeliveryWorker(replica.deps)]
  const load = new AbortController()
  try {
    await rotateUnderLoad(load)
  } finally {
    load.abort()
    await Promise.all(workers.map((worker) => worker.stop()))
  }
})
