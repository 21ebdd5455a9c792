// Makes payments at two real processes. The processes keep running, or are replaced one after the other.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyCallback } from '@pazar/sdk'
import { readSecret } from '../../src/secrets/secrets.ts'
import { rows } from '../accounts.ts'
import { countRounds, runShare } from '../counts.ts'
import { toDatabaseEnv } from '../database.ts'
import { addCallbackProject } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { openLink, pressPay, toOutcome } from '../http-payer.ts'
import type { PayerResponse } from '../http-payer.ts'
import { startMerchant } from '../merchant.ts'
import { toLink } from '../payer.ts'
import { until } from '../until.ts'
import { countArrivals, startFleet, untilAllDelivered } from './fleet.ts'

/** This many attempts take longer than a process takes to restart. */
const ATTEMPTS_MAX = 400
const PAYERS = 8
/** The pause between two payments of a payer while a process starts. Without it, the payers would slow down the start. */
const START_PAUSE_MS = runShare === 'prove' ? 0 : 300

const merchant = await startMerchant()
const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const shopId = await addCallbackProject(deps, merchant.url)
const shop = {
  id: shopId,
  secrets: {
    live: await readSecret(deps, db, shopId, 'live'),
    test: await readSecret(deps, db, shopId, 'test'),
  },
}
const fleet = await startFleet(2, {
  ...toDatabaseEnv(databaseUrl),
  CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
})
/** Stored here, because `fleet.at` does not find a process that is being replaced. */
const origins = [0, 1].map((index) => fleet.at(index).baseUrl)
let orders = 0
let pauseMs = 0

after(async () => {
  await fleet.stopAll()
  await merchant.close()
})

/** Works like a load balancer: if one process refuses or breaks off a request, the request is sent to the other process. */
async function sendToFleet(request: (origin: string) => Promise<PayerResponse>): Promise<PayerResponse> {
  for (let attempts = 0; ; attempts += 1) {
    const response = await request(origins[(orders + attempts) % origins.length]!)
    if (response.status !== 0 && response.status !== 503) return response
    assert.ok(attempts < ATTEMPTS_MAX, `no process responds; the last status was ${response.status}`)
    await sleep(50)
  }
}

async function pay(customId: string): Promise<string> {
  const page = await sendToFleet((origin) => openLink(origin, toLink(shop, { customId, signed: true })))
  assert.equal(page.status, 200, JSON.stringify(page.body))
  const paid = await sendToFleet((origin) => pressPay(origin, String(page.body['token'])))
  assert.equal(toOutcome(paid), 'succeeded', JSON.stringify(paid.body))
  return String(paid.body['transactionId'])
}

/** Makes payments until `isOver` returns true. By default, this is after `total` payments. */
async function payMany(total: number, isOver: () => boolean = () => orders >= total): Promise<string[]> {
  const paid: string[] = []
  const payer = async () => {
    while (!isOver()) {
      orders += 1
      paid.push(await pay(`order-${orders}`))
      await sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: PAYERS }, payer))
  return paid
}

async function assertEachNotifiedOnce(paid: readonly string[]): Promise<void> {
  await untilAllDelivered(db)
  const arrivals = new Map<string, number>()
  for (const request of merchant.received) {
    await verifyCallback(request.raw, request.headers, {
      secret: shop.secrets.live,
      projectId: shop.id,
      expectedAmount: '1500',
      // The run may take an hour, and the callbacks are verified at its end.
      toleranceSec: 86_400,
    })
    const id = String(request.body['transactionId'])
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
  }
  for (const id of paid) assert.equal(arrivals.get(id), 1, `payment ${id}`)
  assert.deepEqual(
    [...countArrivals(merchant).values()].filter((times) => times > 1),
    [],
  )
}

test('every callback to a healthy merchant is delivered exactly once', async (t) => {
  const total = countRounds('paymentsEndToEnd', t)
  const paid = await payMany(total)
  assert.ok(paid.length >= total)
  await assertEachNotifiedOnce(paid)
  const attempts = await rows<{ outcome: string; error: string | null }>(
    db,
    'select outcome, error from callback_attempts',
  )
  assert.deepEqual(
    attempts.filter(({ outcome }) => outcome !== 'delivered'),
    [],
  )
  assert.equal(attempts.length, paid.length)
})

test('while processes are replaced one after the other, every payment succeeds and every callback arrives once', async (t) => {
  const rounds = countRounds('rollingRestarts', t)
  let isOver = false
  const paying = payMany(0, () => isOver)
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const index of [0, 1]) {
        const before = orders
        assert.equal(await fleet.stop(index), 0, 'the process exits with 0')
        pauseMs = START_PAUSE_MS
        await fleet.start(index)
        pauseMs = 0
        await until(() => orders >= before + PAYERS)
      }
    }
  } finally {
    isOver = true
  }
  const paid = await paying
  t.diagnostic(`${paid.length} payments while ${rounds * 2} processes were replaced`)
  await assertEachNotifiedOnce(paid)
})
