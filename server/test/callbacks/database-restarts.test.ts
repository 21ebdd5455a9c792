// The database stops in the middle of deliveries and restarts. The delivery processes keep running.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '../../src/config.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { wire } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { addCallbackProject, queueCallbacks } from '../deliveries.ts'
import { TEST_KEY } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { startRestartableDatabase } from '../restartable-database.ts'
import { until } from '../until.ts'
import { countArrivals, startFleet, untilAllDelivered } from './fleet.ts'

const PER_ROUND = 200

test('when the database stops and restarts, no callback is lost and none arrives twice', async (t) => {
  const restarts = countRounds('databaseRestarts', t)
  const merchant = await startMerchant((response) => setTimeout(() => response.writeHead(200).end('ok'), 20))
  const database = await startRestartableDatabase()
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-cut-off-'))
  const config = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dir,
    SECRETS_KEY: TEST_KEY,
    CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
  })
  const log = createLogger('silent')
  const deps = await wire(config, { databaseUrl: database.url, log })
  const shop = await addCallbackProject(deps, merchant.url)
  const fleet = await startFleet(2, {
    DATABASE_URL: database.url,
    CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
    ROLE: 'delivery',
  })
  t.after(async () => {
    await fleet.stopAll()
    await deps.db.close()
    await database.stop()
    await merchant.close()
    await rm(dir, { recursive: true, force: true })
  })

  for (let round = 1; round <= restarts; round += 1) {
    const receivedBefore = merchant.received.length
    // A connection of the pool may have broken in the crash.
    await until(() => queueCallbacks(deps.db, shop, PER_ROUND).catch(() => null), 'the callbacks are queued')
    await until(() => merchant.received.length > receivedBefore + PER_ROUND / 4)
    await database.crash()
    await database.start()
    await until(
      async () => (await rows(deps.db, 'select').catch(() => null)) !== null,
      'the database responds',
    )
    await untilAllDelivered(deps.db)
  }
  const arrivals = countArrivals(merchant)
  const callbacks = await rows<{ id: string }>(deps.db, 'select id from callback_states')
  assert.ok(callbacks.length >= restarts * PER_ROUND)
  for (const { id } of callbacks) assert.equal(arrivals.get(id), 1, id)
  const attempts = await rows(deps.db, 'select from callback_attempts')
  assert.equal(attempts.length, callbacks.length)
  t.diagnostic(`${callbacks.length} callbacks over ${restarts} restarts, each accepted once`)
})
