// A web process accepts payments, and a delivery process sends their callbacks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSecret } from '../../src/secrets/secrets.ts'
import { rows } from '../accounts.ts'
import { toDatabaseEnv } from '../database.ts'
import { addCallbackProject } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { pressPay, openForToken } from '../http-payer.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { acceptLate, hasNotifiedRedirect, readDatabaseTime, startFleet, untilAllDelivered } from './fleet.ts'

test('a delivery process delivers the callbacks of a web process, and serves no routes except health checks', async (t) => {
  const merchant = await startMerchant()
  const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  const { db } = deps
  const id = await addCallbackProject(deps, merchant.url)
  const secrets = {
    live: await readSecret(deps, db, id, 'live'),
    test: await readSecret(deps, db, id, 'test'),
  }
  const fleet = await startFleet(
    2,
    { ...toDatabaseEnv(databaseUrl), CALLBACK_ALLOW_HOSTS: merchant.hostAndPort },
    [{ ROLE: 'web' }, { ROLE: 'delivery' }],
  )
  t.after(async () => {
    await fleet.stopAll()
    await merchant.close()
  })
  const { baseUrl } = fleet.at(0)
  const pay = async (order: number) => {
    const token = await openForToken(baseUrl, { id, secrets }, { customId: `order-${order}` })
    await pressPay(baseUrl, token)
  }
  for (let order = 1; order <= 10; order += 1) await pay(order)
  await until(() => merchant.received.length === 10)
  await untilAllDelivered(db)
  // From here on, the web process delays a redirect until the delivery process notifies it or the wait runs out.
  merchant.reply = acceptLate
  const since = await readDatabaseTime(db)
  const isNotified = () => hasNotifiedRedirect(db, since)
  for (let order = 11; order <= 60 && !(await isNotified()); order += 1) await pay(order)
  await until(isNotified, 'a notification ended the wait of a payer')
  const selectDeliveryProcesses = 'select from delivery_processes where lease_until > now()'
  assert.equal((await rows(db, selectDeliveryProcesses)).length, 1, 'the web process delivers nothing')
  const getDeliveryStatus = async (path: string) => (await fetch(`${fleet.at(1).baseUrl}${path}`)).status
  assert.deepEqual(await Promise.all(['/healthz', '/readyz'].map(getDeliveryStatus)), [200, 200])
  assert.deepEqual(
    await Promise.all(['/', '/pay', '/sdk/project/list', '/openapi.json'].map(getDeliveryStatus)),
    [404, 404, 404, 404],
  )
})
