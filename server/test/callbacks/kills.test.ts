// Two processes deliver callbacks. They are killed and restarted one after the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { toDatabaseEnv } from '../database.ts'
import { addCallbackProject, queueCallbacks } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { countArrivals, startFleet, untilAllDelivered } from './fleet.ts'

const SHOPS = 4
const PER_ROUND = 120

test('killed processes lose no callback, and only callbacks whose attempt was interrupted are repeated', async (t) => {
  const kills = countRounds('callbackKills', t)
  // The merchant is slow enough that some callbacks are in flight at a kill.
  const merchant = await startMerchant((response) => setTimeout(() => response.writeHead(200).end('ok'), 15))
  const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  const { db } = deps
  const shops = await Promise.all(Array.from({ length: SHOPS }, () => addCallbackProject(deps, merchant.url)))
  const env = { ...toDatabaseEnv(databaseUrl), CALLBACK_ALLOW_HOSTS: merchant.hostAndPort, ROLE: 'delivery' }
  const fleet = await startFleet(2, env)
  t.after(async () => {
    await fleet.stopAll()
    await merchant.close()
  })

  for (let round = 0; round < kills; round += 1) {
    const before = merchant.received.length
    for (const shop of shops) await queueCallbacks(db, shop, PER_ROUND / SHOPS)
    const wanted = before + 1 + Math.floor(Math.random() * (PER_ROUND / 2))
    await until(() => merchant.received.length >= wanted)
    await fleet.kill(round % 2)
    // After the last kill, the other process delivers the rest.
    if (round + 1 < kills) await fleet.start(round % 2)
  }
  await untilAllDelivered(db)

  const arrivals = countArrivals(merchant)
  const callbacks = await rows<{ id: string; attempts: number; interrupted: number }>(
    db,
    `select c.id, count(*)::integer as attempts, (count(*) filter (where a.outcome = 'interrupted'))::integer as interrupted
     from callback_states c join callback_attempts a on a.project_id = c.project_id and a.callback_id = c.id group by c.id`,
  )
  assert.equal(callbacks.length, kills * PER_ROUND)
  for (const { id, attempts, interrupted } of callbacks) {
    const times = arrivals.get(id) ?? 0
    assert.ok(times >= 1, `${id} is lost`)
    assert.ok(times <= 1 + interrupted, `${id} arrived ${times} times, ${interrupted} interrupted`)
    assert.equal(attempts, 1 + interrupted, `${id} had ${attempts} attempts`)
  }
  const repeats = [...arrivals.values()].filter((times) => times > 1).length
  t.diagnostic(`${callbacks.length} callbacks, ${kills} kills, ${repeats} repeated under the same id`)
})
