import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { createTestDatabase } from '../test/database.ts'
import { startPayments } from '../test/payments.ts'
import { insertPayments } from '../test/transactions.ts'
import { until } from '../test/until.ts'
import { DUE_CHANNEL } from './callbacks/ownership.ts'
import { parseConfig } from './config.ts'
import { ServiceError } from './lib/service-error.ts'
import { wire } from './wire.ts'

const database = await createTestDatabase()
const proxy = await startDatabaseProxy(database.url)
const env = { DATABASE_QUERY_TIMEOUT_MS: '6000' }
const { deps } = await startPayments(env, { databaseUrl: proxy.url })
after(async () => {
  await proxy.close()
  await database.drop()
})

test('a statement that takes longer than DATABASE_QUERY_TIMEOUT_MS fails', async () => {
  await rows(deps.db, 'select 1')
  proxy.goSilent()
  await assert.rejects(rows(deps.db, 'select 2'), (error: unknown) => {
    assert.ok(error instanceof ServiceError && error.cause instanceof Error)
    assert.match(error.cause.message, /no response from the database within 6000 ms/)
    return true
  })
  proxy.resume()
})

test('the service does not start with another SECRETS_KEY, or with another currency if there are payments', async () => {
  const own = await startPayments()
  const start = (env: Record<string, string>, isCommand = false) =>
    wire(parseConfig({ ...own.env, ...env }), {
      databaseUrl: own.databaseUrl,
      log: own.deps.log,
      isCommand,
    }).then((started) => started.db.close())
  const otherKey = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  await assert.rejects(start(otherKey), /sealed under another key/)
  await start({ ...otherKey, SECRETS_KEY_PREVIOUS: own.env['SECRETS_KEY']! })

  await insertPayments(own.deps, own.projectId, [{}])
  for (const env of [{ CURRENCY: 'USD' }, { AMOUNT_SCALE: '0' }]) {
    await assert.rejects(start(env), /this database holds payments in EUR:2/)
    await start(env, true)
  }
})

test('if there are no payments, another currency is accepted and recorded', async () => {
  const own = await startPayments({ CURRENCY: 'USD' })
  assert.equal(own.deps.installation.currency, 'USD')
  const settings = parseConfig({ ...own.env, CURRENCY: 'JPY', AMOUNT_SCALE: '0' })
  const started = await wire(settings, { databaseUrl: own.databaseUrl, log: own.deps.log })
  const { currency, scale, scaleOfOldPayments } = started.installation
  await started.db.close()
  assert.deepEqual([currency, scale, scaleOfOldPayments], ['JPY', 0, 0])
})

test('wakeDelivery notifies other processes, and callbacks may be sent to the hosts of options and settings', async () => {
  const own = await startPayments({ CALLBACK_ALLOW_HOSTS: 'one.example:443' })
  const started = await wire(parseConfig({ ...own.env }), {
    databaseUrl: own.databaseUrl,
    log: own.deps.log,
    allowHosts: ['localhost:4000'],
  })
  let woken = 0
  const stop = started.db.signals.listen(DUE_CHANNEL, (payload) => (woken += payload === null ? 0 : 1))
  await until(() => (own.deps.wakeDelivery(), woken > 0), 'the other process is woken')
  stop()
  await started.db.close()
  assert.deepEqual([...started.allowHosts].toSorted(), ['localhost:4000', 'one.example:443'])
})
