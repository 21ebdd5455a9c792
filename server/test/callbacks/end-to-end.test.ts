// Payments by the hundred through two real processes, and the shop that hears of them: each result exactly once, with
// the processes left alone and with one after the other being replaced.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPayUrl, verifyCallback } from '@pazar/sdk'
import { readSecret } from '../../src/secrets/secrets.ts'
import { rows } from '../accounts.ts'
import { count } from '../counts.ts'
import { addCallbackShop } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { countArrivals, startFleet, untilAllDelivered } from './fleet.ts'

/** Longer than a place takes to come back. */
const TRIES_MAX = 400
/** Payers at once; enough to keep two cores busy. */
const PAYERS = 8

const merchant = await startMerchant()
const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.pair })
const { db } = deps
const shopId = await addCallbackShop(deps, merchant.url)
const shop = { id: shopId, secret: await readSecret(deps, db, shopId, 'live') }
const fleet = await startFleet(2, { DATABASE_URL: databaseUrl, CALLBACK_ALLOW_HOSTS: merchant.pair })
/** Kept, because a place that is being replaced has no process to ask. */
const origins = [0, 1].map((place) => fleet.at(place).baseUrl)
let orders = 0

after(async () => {
  await fleet.stopAll()
  await merchant.close()
})

interface Answered {
  status: number
  text: string
}

/** As a balancer does: what one place refuses or cuts off is asked of the other. */
async function ask(request: (origin: string) => Promise<Response>): Promise<Answered> {
  for (let tries = 0; ; tries += 1) {
    const origin = origins[(orders + tries) % origins.length]!
    const answer = await request(origin).catch((error: Error) => error)
    if (answer instanceof Response && answer.status !== 503)
      return { status: answer.status, text: await answer.text() }
    assert.ok(tries < TRIES_MAX, answer instanceof Error ? answer.message : 'always 503')
    if (answer instanceof Response) await answer.body?.cancel()
    await sleep(50)
  }
}

async function pay(customId: string): Promise<string> {
  const link = buildPayUrl('http://localhost', {
    amount: '1500',
    project: shop.id,
    data: customId,
    customId,
    secret: shop.secret,
  }).slice('http://localhost'.length)
  const page = await ask((origin) => fetch(origin + link, { headers: { accept: 'text/html' } }))
  assert.equal(page.status, 200, page.text)
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1]
  assert.ok(token, page.text)
  const answer = await ask((origin) =>
    fetch(`${origin}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    }),
  )
  assert.equal(answer.status, 200, answer.text)
  const { status, transactionId } = JSON.parse(answer.text) as { status: string; transactionId: string }
  assert.equal(status, 'succeeded', answer.text)
  return transactionId
}

/** Pays until told to stop, or so many times. */
async function payMany(total: number, isOver: () => boolean = () => orders >= total): Promise<string[]> {
  const paid: string[] = []
  const payer = async () => {
    while (!isOver()) {
      orders += 1
      paid.push(await pay(`order-${orders}`))
    }
  }
  await Promise.all(Array.from({ length: PAYERS }, payer))
  return paid
}

async function assertEachToldOnce(paid: readonly string[]): Promise<void> {
  await untilAllDelivered(db)
  const told = new Map<string, number>()
  for (const got of merchant.received) {
    await verifyCallback(got.raw, got.headers, {
      secret: shop.secret,
      projectId: shop.id,
      expectedAmount: '1500',
      // Read at the end of a run that may take an hour.
      toleranceSec: 86_400,
    })
    const id = String(got.body['transactionId'])
    told.set(id, (told.get(id) ?? 0) + 1)
  }
  for (const id of paid) assert.equal(told.get(id), 1, `payment ${id}`)
  assert.deepEqual(
    [...countArrivals(merchant).values()].filter((times) => times > 1),
    [],
  )
}

test('with healthy shops every payment is told exactly once', async (t) => {
  const total = count('paymentsEndToEnd', t)
  const paid = await payMany(total)
  assert.ok(paid.length >= total)
  await assertEachToldOnce(paid)
  const tries = await rows(db, 'select from callback_attempts')
  assert.equal(tries.length, paid.length)
})

test('processes are replaced one after the other, and no payer and no shop notices', async (t) => {
  const rounds = count('rollingRestarts', t)
  let isOver = false
  const paying = payMany(0, () => isOver)
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const place of [0, 1]) {
        const before = orders
        assert.equal(await fleet.stop(place), 0, 'it ends by itself, with 0')
        await fleet.start(place)
        await until(() => orders >= before + PAYERS)
      }
    }
  } finally {
    isOver = true
  }
  const paid = await paying
  t.diagnostic(`${paid.length} payments while ${rounds * 2} processes were replaced`)
  await assertEachToldOnce(paid)
})
