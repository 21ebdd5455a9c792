// Services are killed (kill -9) at each step of a charge, and at random under load. lib/failpoint.ts explains the steps.
// docs/proof.md calls these faults F1 to F5.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { openLink, pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { startMerchant } from '../merchant.ts'
import { addPayProject, toLink } from '../payer.ts'
import { listCallbacks, makeLookupsDue, startPayments } from '../payments.ts'
import { startRawServer } from '../raw-server.ts'
import type { ServiceProcess } from '../service-process.ts'
import { createReplicas } from './replicas.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'

const upstream = await startUpstream()
const merchant = await startMerchant()
const { deps, env } = await startPayments({ ...upstream.env, CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const shop = await addPayProject(deps, { apiUrl: merchant.url })

const replicas = createReplicas(env)
// This replica is not killed. It looks up the payments of the killed replicas.
const survivor = await replicas.start()

after(async () => {
  await replicas.killAll()
  await merchant.close()
  await upstream.stop()
})

interface Row {
  id: string
  state: string
  failure_code: string | null
}

async function findByCustomId(customId: string): Promise<Row | null> {
  const text = 'select id, state, failure_code from transactions where custom_id = $1'
  return (await rows<Row>(db, text, [customId]))[0] ?? null
}

/** Makes the lookups due now, so that the survivor runs them. */
async function untilEnded(customId: string): Promise<Row> {
  return until(async () => {
    await makeLookupsDue(db)
    const row = await findByCustomId(customId)
    return row?.state === 'succeeded' || row?.state === 'failed' ? row : null
  }, `${customId} is resolved`)
}

async function untilExit(service: ServiceProcess): Promise<void> {
  await until(() => service.child.signalCode !== null, 'the process is gone')
  assert.equal(service.child.signalCode, 'SIGKILL')
}

async function assertNotifiedOnce(id: string, status: 'success' | 'fail'): Promise<void> {
  const findReceived = () => merchant.received.filter((one) => one.body['transactionId'] === id)
  await until(() => findReceived().length > 0, 'the merchant is notified')
  assert.deepEqual(new Set(findReceived().map((one) => `${one.id} ${String(one.body['status'])}`)).size, 1)
  assert.equal(findReceived()[0]?.body['status'], status)
  assert.equal((await listCallbacks(db, id)).length, 1)
}

async function payUntilKilled(service: ServiceProcess, customId: string): Promise<string> {
  const token = await openForToken(survivor.baseUrl, shop, { customId })
  const pressed = pressPay(service.baseUrl, token)
  assert.equal(toOutcome(await pressed), 'no response')
  await untilExit(service)
  return token
}

test('when the service is killed before it stores the payment, nothing is charged, and the same form pays later', async () => {
  const token = await payUntilKilled(await replicas.start({ FAIL_AT: 'S0' }), 'F1')
  assert.equal(await findByCustomId('F1'), null)
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed between storing and sending a payment, the payment is cancelled and fails', async () => {
  const token = await payUntilKilled(await replicas.start({ FAIL_AT: 'S1' }), 'F2')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'processing')
  const ended = await untilEnded('F2')
  assert.deepEqual([ended.state, ended.failure_code], ['failed', 'not_charged'])
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'payment_failed')
  const { payments } = await upstream.books()
  assert.equal(payments.find((one) => one.id === ended.id)?.status, 'cancelled')
  await assertNotifiedOnce(ended.id, 'fail')
  const secondToken = await openForToken(survivor.baseUrl, shop, { amount: '1500', customId: 'F2' })
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, secondToken)), 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed while it waits for an upstream that stores nothing, the payment fails', async (t) => {
  const requestArrived = Promise.withResolvers<void>()
  const silentUpstream = await startRawServer(t, (_socket, request) => {
    // The service requests /info when it starts.
    if (request.startsWith('POST /payments')) requestArrived.resolve()
  })
  // This service uses the survivor's upstream account, but the URL of the silent upstream.
  const service = await replicas.start({
    BACKEND_URL: `http://127.0.0.1:${silentUpstream.port}`,
    BACKEND_ACCOUNT: upstream.env['BACKEND_URL']!,
  })
  const token = await openForToken(survivor.baseUrl, shop, { amount: '1500', customId: 'F3' })
  const pressed = pressPay(service.baseUrl, token)
  await requestArrived.promise
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  assert.equal((await untilEnded('F3')).state, 'failed')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed before the upstream responds, the charge is found and one callback is sent', async () => {
  const service = await replicas.start()
  // The upstream charges this amount and does not respond.
  const token = await openForToken(survivor.baseUrl, shop, { amount: '4002', customId: 'F4' })
  const pressed = pressPay(service.baseUrl, token)
  const { id } = await until(async () => findByCustomId('F4'), 'the payment is stored')
  await until(
    async () => (await upstream.books()).charges.some((one) => one.paymentId === id),
    'the payment is charged',
  )
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  assert.equal((await untilEnded('F4')).state, 'succeeded')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertNotifiedOnce(id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed before it stores the upstream’s response, the charge is found and one callback is sent', async () => {
  await payUntilKilled(await replicas.start({ FAIL_AT: 'S4' }), 'F5a')
  assert.equal((await findByCustomId('F5a'))?.state, 'processing')
  const ended = await untilEnded('F5a')
  assert.equal(ended.state, 'succeeded')
  await assertNotifiedOnce(ended.id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed inside the transaction that ends a payment, nothing is committed, and the charge is found later', async (t) => {
  const holder = new pg.Client({ connectionString: deps.config.databaseUrl! })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('select pg_advisory_lock(5)')
  await holder.query(`
    create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(5); return new; end $$;
    create trigger hold before insert on callbacks for each row execute function hold();`)
  const service = await replicas.start({ ROLE: 'web' })
  const token = await openForToken(survivor.baseUrl, shop, { amount: '1500', customId: 'F5b' })
  const pressed = pressPay(service.baseUrl, token)
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory'
    and datname = current_database()`
  const waitingSession = await until(
    async () => (await holder.query<{ pid: number }>(waiting)).rows[0],
    'the service waits inside the transaction',
  )
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  // PostgreSQL would otherwise notice the lost client only later.
  await holder.query('select pg_terminate_backend($1)', [waitingSession.pid])
  await holder.query('drop trigger hold on callbacks')
  await holder.query('select pg_advisory_unlock(5)')
  const { id } = (await findByCustomId('F5b'))!
  assert.deepEqual([(await findByCustomId('F5b'))?.state, await listCallbacks(db, id)], ['processing', []])
  assert.equal((await untilEnded('F5b')).state, 'succeeded')
  await assertNotifiedOnce(id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('when the service is killed after the commit that ends a payment, sending the form again shows the payment', async () => {
  // A web process sends no callbacks. In another role, the killed service could have begun to send the callback, and the
  // survivor would send it only after RECOVER_GRACE_MS.
  const token = await payUntilKilled(await replicas.start({ FAIL_AT: 'S5', ROLE: 'web' }), 'F5c')
  const row = await findByCustomId('F5c')
  assert.equal(row?.state, 'succeeded')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertNotifiedOnce(row.id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

const STEP_KILLS = 7
/** In each round, the test waits for at most this many acknowledged payments before it kills the service. */
const ACKNOWLEDGED_MAX = 40

/** Pays until the service no longer responds. `acknowledged` gets the id and status of each payment whose response is 200. */
async function payUntilNoResponse(
  baseUrl: string,
  worker: string,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let paid = 0; ; paid += 1) {
    const link = toLink(shop, { amount: '1500', customId: `${worker}-${paid}` })
    const { body, status } = await openLink(baseUrl, link)
    if (status === 0) return
    const response = await pressPay(baseUrl, String(body['token']))
    if (response.status === 0) return
    if (response.status === 200)
      acknowledged.set(String(response.body['transactionId']), String(response.body['status']))
  }
}

test('no acknowledged payment is lost and every charge is found when services are killed at random under load', async (t) => {
  const acknowledged = new Map<string, string>()
  // `kills` is the number of kills in all tests of this file. The tests above have made STEP_KILLS of them.
  const rounds = countRounds('kills', t) - STEP_KILLS
  for (let round = 0; round < rounds; round += 1) {
    const service = await replicas.start({ ROLE: 'web' })
    const load = Array.from({ length: 4 }, (_, worker) =>
      payUntilNoResponse(service.baseUrl, `load-${round}-${worker}`, acknowledged),
    )
    const acknowledgedTarget = acknowledged.size + Math.random() * ACKNOWLEDGED_MAX
    await until(() => acknowledged.size >= acknowledgedTarget, 'payments go through')
    await sleep(Math.random() * 20)
    await service.kill()
    await Promise.all(load)
  }
  await until(async () => {
    await makeLookupsDue(db)
    return (await rows(db, "select from transactions where state = 'processing'")).length === 0
  }, 'all payments are resolved')
  await assertBooksAgree(db, await upstream.books())
  const text = "select id from transactions where state = 'succeeded'"
  const succeeded = new Set((await rows<{ id: string }>(db, text)).map((row) => row.id))
  for (const [id, status] of acknowledged) {
    assert.equal(status, 'succeeded')
    assert.ok(succeeded.has(id), `${id} was acknowledged and is lost`)
  }
  t.diagnostic(
    `${acknowledged.size} payments acknowledged under load, ${succeeded.size} made in all tests of this file`,
  )
  assert.ok(acknowledged.size > 0)
})
