// kill -9 at every step of a charge and at random under load. Real processes, real HTTP, and the reference
// upstream with its own ledger: afterwards both ledgers agree and no acknowledged payment is lost.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rows } from '../accounts.ts'
import { count } from '../counts.ts'
import { openLink, pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { startMerchant } from '../merchant.ts'
import { addPayProject, toLink } from '../payer.ts'
import { callbacksOf, makeDue, startPayments } from '../payments.ts'
import { startRawServer } from '../raw-server.ts'
import type { ServiceProcess } from '../service-process.ts'
import { createReplicas } from './replicas.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'

const upstream = await startUpstream()
const merchant = await startMerchant()
const { deps, env } = await startPayments({ ...upstream.env, CALLBACK_ALLOW_HOSTS: merchant.pair })
const { db } = deps
const shop = await addPayProject(deps, { apiUrl: merchant.url })

const replicas = createReplicas(env)
// The replica that keeps running: it looks up the payments of the killed one.
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

/** Makes lookups due now, so that the survivor runs them. */
async function untilEnded(customId: string): Promise<Row> {
  return until(async () => {
    await makeDue(db)
    const row = await findByCustomId(customId)
    return row?.state === 'succeeded' || row?.state === 'failed' ? row : null
  }, `${customId} is resolved`)
}

async function untilExit(service: ServiceProcess): Promise<void> {
  await until(() => service.child.signalCode !== null, 'the process is gone')
  assert.equal(service.child.signalCode, 'SIGKILL')
}

async function assertNotifiedOnce(id: string, status: 'success' | 'fail'): Promise<void> {
  const ofThis = () => merchant.received.filter((one) => one.body['transactionId'] === id)
  await until(() => ofThis().length > 0, 'the merchant is notified')
  assert.deepEqual(new Set(ofThis().map((one) => `${one.id} ${String(one.body['status'])}`)).size, 1)
  assert.equal(ofThis()[0]?.body['status'], status)
  assert.equal((await callbacksOf(db, id)).length, 1)
}

/** Presses Pay at a service that is killed before it responds. */
async function payAndDie(service: ServiceProcess, customId: string, amount: string): Promise<string> {
  const token = await openForToken(survivor.baseUrl, shop, { amount, customId })
  const pressed = pressPay(service.baseUrl, token)
  assert.equal(toOutcome(await pressed), 'no response')
  await untilExit(service)
  return token
}

test('killed before anything is stored: nothing is stored, and the same form pays later', async () => {
  const token = await payAndDie(await replicas.start({ FAIL_AT: 'S0' }), 'F1', '1500')
  assert.equal(await findByCustomId('F1'), null)
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

test('killed with the payment stored but not sent: it is cancelled upstream, fails, and is never sent again', async () => {
  const token = await payAndDie(await replicas.start({ FAIL_AT: 'S1' }), 'F2', '1500')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'processing')
  const ended = await untilEnded('F2')
  assert.deepEqual([ended.state, ended.failure_code], ['failed', 'not_charged'])
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'payment_failed')
  const { payments } = await upstream.books()
  assert.equal(payments.find((one) => one.id === ended.id)?.status, 'cancelled')
  await assertNotifiedOnce(ended.id, 'fail')
  const again = await openForToken(survivor.baseUrl, shop, { amount: '1500', customId: 'F2' })
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, again)), 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

test('killed while the request is half sent: the payment is cancelled upstream and fails, as if nothing had been sent', async (t) => {
  const half = Promise.withResolvers<void>()
  // Never responds and stores nothing: it receives only the first half of the request.
  const wire = await startRawServer(t, (_socket, request) => {
    // The service requests /info when it starts.
    if (request.startsWith('POST /payments')) half.resolve()
  })
  // The same account as the survivor's, at an address that never responds.
  const service = await replicas.start({
    BACKEND_URL: `http://127.0.0.1:${wire.port}`,
    BACKEND_ACCOUNT: upstream.env['BACKEND_URL']!,
  })
  const token = await openForToken(survivor.baseUrl, shop, { amount: '1500', customId: 'F3' })
  const pressed = pressPay(service.baseUrl, token)
  await half.promise
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  assert.equal((await untilEnded('F3')).state, 'failed')
  await assertBooksAgree(db, await upstream.books())
})

test('killed after the upstream charged and before it responded: the charge is found and one callback is sent', async () => {
  const service = await replicas.start()
  const token = await openForToken(survivor.baseUrl, shop, { amount: '4002', customId: 'F4' })
  const pressed = pressPay(service.baseUrl, token)
  const { id } = await until(async () => findByCustomId('F4'), 'the payment is stored')
  await until(
    async () => (await upstream.books()).charges.some((one) => one.paymentId === id),
    'it is charged',
  )
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  assert.equal((await untilEnded('F4')).state, 'succeeded')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertNotifiedOnce(id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('killed with the response received but not stored: the charge is found and one callback is sent', async () => {
  await payAndDie(await replicas.start({ FAIL_AT: 'S4' }), 'F5a', '1500')
  assert.equal((await findByCustomId('F5a'))?.state, 'processing')
  const ended = await untilEnded('F5a')
  assert.equal(ended.state, 'succeeded')
  await assertNotifiedOnce(ended.id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('killed inside the commit that ends the payment: it is committed fully or not at all, and one callback is sent', async (t) => {
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
  const inside = await until(
    async () => (await holder.query<{ pid: number }>(waiting)).rows[0],
    'it is inside',
  )
  await service.kill()
  assert.equal(toOutcome(await pressed), 'no response')
  // The client is gone, so the server rolls back its transaction.
  await holder.query('select pg_terminate_backend($1)', [inside.pid])
  await holder.query('drop trigger hold on callbacks')
  await holder.query('select pg_advisory_unlock(5)')
  const { id } = (await findByCustomId('F5b'))!
  assert.deepEqual([(await findByCustomId('F5b'))?.state, await callbacksOf(db, id)], ['processing', []])
  assert.equal((await untilEnded('F5b')).state, 'succeeded')
  await assertNotifiedOnce(id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

test('killed after the commit and before the response: the payment remains, and the form shows it', async () => {
  // This process does not deliver: a callback it had claimed would be sent only after its lease ends.
  const token = await payAndDie(await replicas.start({ FAIL_AT: 'S5', ROLE: 'web' }), 'F5c', '1500')
  const row = await findByCustomId('F5c')
  assert.equal(row?.state, 'succeeded')
  assert.equal(toOutcome(await pressPay(survivor.baseUrl, token)), 'succeeded')
  await assertNotifiedOnce(row.id, 'success')
  await assertBooksAgree(db, await upstream.books())
})

const STEP_KILLS = 7
/** A process under load is killed after at most this many payments. */
const ACKNOWLEDGED_MAX = 40

/** Pays until the service is gone; returns the acknowledged payments. */
async function payUntilGone(
  baseUrl: string,
  worker: string,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let paid = 0; ; paid += 1) {
    const link = toLink(shop, { amount: '1500', customId: `${worker}-${paid}` })
    const { body, status } = await openLink(baseUrl, link)
    if (status === 0) return
    const answer = await pressPay(baseUrl, String(body['token']))
    if (answer.status === 0) return
    if (answer.status === 200)
      acknowledged.set(String(answer.body['transactionId']), String(answer.body['status']))
  }
}

test('killed at random under load, no acknowledged payment is lost and every charge is found', async (t) => {
  const acknowledged = new Map<string, string>()
  // The kills in the tests above count too.
  const rounds = count('kills', t) - STEP_KILLS
  for (let round = 0; round < rounds; round += 1) {
    const service = await replicas.start({ ROLE: 'web' })
    const load = Array.from({ length: 4 }, (_, worker) =>
      payUntilGone(service.baseUrl, `load-${round}-${worker}`, acknowledged),
    )
    const enough = acknowledged.size + Math.random() * ACKNOWLEDGED_MAX
    await until(() => acknowledged.size >= enough, 'payments go through')
    await sleep(Math.random() * 20)
    await service.kill()
    await Promise.all(load)
  }
  await until(async () => {
    await makeDue(db)
    return (await rows(db, "select from transactions where state = 'processing'")).length === 0
  }, 'all are resolved')
  await assertBooksAgree(db, await upstream.books())
  const text = "select id from transactions where state = 'succeeded'"
  const succeeded = new Set((await rows<{ id: string }>(db, text)).map((row) => row.id))
  for (const [id, said] of acknowledged) {
    assert.equal(said, 'succeeded')
    assert.ok(succeeded.has(id), `${id} was acknowledged and is lost`)
  }
  t.diagnostic(`${acknowledged.size} payments acknowledged, ${succeeded.size} made`)
  assert.ok(acknowledged.size > 0)
})
