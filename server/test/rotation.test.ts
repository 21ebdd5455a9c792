// A rotation without downtime: a server that verifies with the current and the next secret accepts every callback, also
// those signed while the secrets change, with two replicas that deliver.
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
/** Before and after the rotation. */
const RECEIVED_MIN = 12

const merchant = await startMerchant()
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.pair })
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
  const receive = async (answer: ServerResponse, received: ReceivedCallback) => {
    const isOk = await isAccepted(received, secrets)
    const signer = (await isAccepted(received, [next])) ? 'next' : 'current'
    if (!isOk) refused.push(received.id)
    signedBy[signer] += 1
    answer.writeHead(isOk ? 200 : 400).end()
  }
  merchant.reply = (answer, received) => void receive(answer, received)

  /** The payments of each payer. */
  const paid: string[][] = Array.from({ length: PAYERS }, () => [])
  const countPaid = () => paid.flat().length
  const payers = paid.map(async (own) => {
    while (!load.signal.aborted) {
      own.push((await payFor(deps, id, { amount: 1500n })).id)
      // Payments are faster than deliveries: without this the queue would be long at the end.
      await until(
        () => load.signal.aborted || countPaid() - merchant.received.length < PAYERS * 3,
        'callbacks arrive',
      )
    }
  })
  const allPaid = Promise.all(payers)
  allPaid.catch(() => undefined) // Awaited below; until then a failed payment must not end the process.
  await until(() => signedBy.current >= RECEIVED_MIN, 'callbacks arrive before the rotation')
  const rotated = await owner.post('/sdk/project/rotateSecret', { projectId: id, useNext: true })
  assert.deepEqual([rotated.status, rotated.json()['secret']], [200, next])
  await until(() => signedBy.next >= RECEIVED_MIN, 'callbacks arrive after the rotation')

  // The merchant's last step, while payments go on: the old secret is removed once nothing that it signed is on its way.
  const lengths = paid.map((own) => own.length)
  await until(() => paid.every((own, n) => own.length > lengths[n]!), 'each payer has paid again')
  const earlier = paid.flat()
  const isReceived = (one: string) => merchant.received.some(({ body }) => body['transactionId'] === one)
  await until(() => earlier.every(isReceived), 'the callbacks of the earlier payments have arrived')
  await until(() => signedBy.current + signedBy.next >= earlier.length, 'they have their responses')
  const signedByOld = signedBy.current
  secrets = [next]
  const soFar = signedBy.next
  await until(() => signedBy.next >= soFar + RECEIVED_MIN, 'callbacks arrive with the new secret alone')
  load.abort()
  await allPaid
  await until(() => signedBy.current + signedBy.next === countPaid(), 'every callback has its response')

  assert.deepEqual(refused, [])
  // Each callback came once: nothing had to be retried.
  assert.equal(new Set(merchant.received.map((one) => one.id)).size, countPaid())
  assert.equal(signedBy.current, signedByOld, 'the old secret signs nothing after the rotation')
}

test('while payments go on, a rotation to the prepared secret has no callback refused by a server that knows both', async () => {
  // Stopped before the service is closed, which the workers need until then.
  const workers = [startDeliveryWorker(deps), startDeliveryWorker(replica.deps)]
  const load = new AbortController()
  try {
    await rotateUnderLoad(load)
  } finally {
    load.abort()
    await Promise.all(workers.map((worker) => worker.stop()))
  }
})
