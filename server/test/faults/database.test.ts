// PostgreSQL stops, kills connections, blocks on locks or aborts transactions. F9 to F12 are the numbers of these faults in
// docs/proof.md.
// Why this is long: four faults share one server, which takes seconds to start.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { FailStep } from '../../src/lib/failpoint.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { openLink, pressPay, openForToken, toOutcome } from '../http-payer.ts'
import type { PayerResponse } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { addPayProject, toLink } from '../payer.ts'
import { listCallbacks, requirePayment, resolveOpenPayments, startPayments } from '../payments.ts'
import { startRestartableDatabase } from '../restartable-database.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'
import { serve } from './serve.ts'

const database = await startRestartableDatabase()
const upstream = await startUpstream()
const { deps } = await startPayments(upstream.env, { databaseUrl: database.url })
const { db } = deps
const shop = await addPayProject(deps)
const baseUrl = await serve(deps)
after(async () => {
  await upstream.stop()
  await database.stop()
})

async function restart(): Promise<void> {
  await database.crash()
  await database.start()
}

function onceAt(step: FailStep, work: () => Promise<void>): void {
  deps.failpoint = async (reached) => {
    if (reached !== step) return
    deps.failpoint = () => undefined
    await work()
  }
}

function openPage(customId: string): Promise<string> {
  return openForToken(baseUrl, shop, { customId })
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Until the service is ready, the pool may have dead connections. */
function untilHealthy(): Promise<unknown> {
  return until(async () => (await openLink(baseUrl, '/readyz')).status === 200, 'the service recovers')
}

function assertOutcome(response: PayerResponse, outcomes: readonly string[]): void {
  assert.ok(outcomes.includes(toOutcome(response)), `${response.status} ${JSON.stringify(response.body)}`)
  if (response.status === 503) assert.match(response.retryAfter ?? '', /^[1-9]\d*$/)
}

async function assertPaidOnce(customId: string, token: string): Promise<void> {
  await untilHealthy()
  await resolveOpenPayments(deps)
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'succeeded')
  const found = await rows<{ id: string }>(db, 'select id from transactions where custom_id = $1', [customId])
  assert.equal(found.length, 1)
  assert.equal((await listCallbacks(db, found[0]!.id)).length, 1)
  await assertBooksAgree(db, await upstream.books())
}

/** What the payer may see, by the step at which the database restarts. lib/failpoint.ts explains the steps. */
const OUTCOMES: readonly (readonly [FailStep, readonly string[]])[] = [
  ['S0', ['unavailable', 'succeeded']],
  ['S1', ['processing', 'succeeded']],
  ['S4', ['processing', 'succeeded']],
  ['S5', ['succeeded']],
]

for (const [step, outcomes] of OUTCOMES) {
  test(`a payment does not fail and is charged once when PostgreSQL stops and restarts at ${step}`, async () => {
    const token = await openPage(`F9-${step}`)
    onceAt(step, restart)
    assertOutcome(await pressPay(baseUrl, token), outcomes)
    await assertPaidOnce(`F9-${step}`, token)
  })
}

test('without PostgreSQL payers get 503 with Retry-After, and the service recovers when PostgreSQL is back', async () => {
  const token = await openPage('F9-away')
  await database.crash()
  for (const response of [await pressPay(baseUrl, token), await openLink(baseUrl, toLink(shop))]) {
    assert.equal(response.status, 503)
    assert.match(response.retryAfter ?? '', /^[1-9]\d*$/)
  }
  await database.start()
  await assertPaidOnce('F9-away', token)
})

test('when PostgreSQL stops before the upstream’s response is stored, the payer sees "processing", and the charge is found later', async () => {
  const token = await openPage('F9-charging')
  onceAt('S4', () => database.crash())
  const response = await pressPay(baseUrl, token)
  assert.equal(toOutcome(response), 'processing')
  await database.start()
  await assertPaidOnce('F9-charging', token)
})

async function payUntil(name: string, isOver: () => boolean, acknowledged: Set<string>): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const page = await openLink(baseUrl, toLink(shop, { customId: `${name}-${round}` }))
    if (page.status !== 200) {
      assert.equal(page.status, 503)
      await sleep(20)
      continue
    }
    const response = await pressPay(baseUrl, String(page.body['token']))
    assertOutcome(response, ['succeeded', 'processing', 'unavailable'])
    if (toOutcome(response) === 'succeeded') acknowledged.add(String(response.body['transactionId']))
  }
}

test('when PostgreSQL stops under load, no acknowledged payment is lost and none is charged twice', async (t) => {
  const acknowledged = new Set<string>()
  let isOver = false
  const load = Array.from({ length: 6 }, (_, worker) =>
    payUntil(`load-${worker}`, () => isOver, acknowledged),
  )
  const rounds = countRounds('databaseRestarts', t)
  for (let round = 0; round < rounds; round += 1) {
    const before = acknowledged.size
    await until(() => acknowledged.size > before + 10, 'payments go through')
    await sleep(Math.random() * 100)
    await restart()
  }
  const before = acknowledged.size
  await until(() => acknowledged.size > before, 'payments go through again')
  isOver = true
  await Promise.all(load)
  await resolveOpenPayments(deps)
  for (const id of acknowledged) assert.equal((await requirePayment(db, id)).state, 'succeeded')
  await assertBooksAgree(db, await upstream.books())
  t.diagnostic(`${acknowledged.size} payments acknowledged`)
})

/** Waits for connections that match `where`, a condition on pg_stat_activity, and ends them. */
async function terminate(client: pg.Client, where: string): Promise<void> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${where}`
  await until(async () => (await client.query(text)).rows.length > 0, where)
}

for (const [statement, table, outcome] of [
  ['insert into transactions', 'transactions', 'unavailable'],
  ['payments.settle', 'callbacks', 'processing'],
] as const) {
  test(`when the connection is killed inside "${statement}", the payer gets "${outcome}", and the order is charged once`, async (t) => {
    const client = await connect()
    t.after(() => client.end())
    const name = `F10-${table}`
    await client.query('select pg_advisory_lock(10)')
    await client.query(`
      create or replace function hold() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(10); return new; end $$;
      create trigger hold before insert on ${table} for each row execute function hold();`)
    const token = await openPage(name)
    const pressed = pressPay(baseUrl, token)
    await terminate(client, "wait_event_type = 'Lock' and wait_event = 'advisory'")
    await client.query(`drop trigger hold on ${table}`)
    await client.query('select pg_advisory_unlock(10)')
    assertOutcome(await pressed, [outcome])
    await assertPaidOnce(name, token)
  })
}

for (const [step] of OUTCOMES) {
  test(`a payment does not fail and is charged once when every connection is killed at ${step}`, async (t) => {
    const client = await connect()
    t.after(() => client.end())
    const token = await openPage(`F10-${step}`)
    onceAt(step, () => terminate(client, "backend_type = 'client backend'"))
    assertOutcome(await pressPay(baseUrl, token), ['succeeded', 'processing', 'unavailable'])
    await assertPaidOnce(`F10-${step}`, token)
  })
}

test('while another transaction locks an order, the forty payers of the order get 503, and other pages are served', async (t) => {
  const client = await connect()
  t.after(() => client.end())
  const tokens = await Promise.all(Array.from({ length: 40 }, () => openPage('F11')))
  await client.query('begin')
  // Another transaction has inserted a payment of the same order and does not end.
  await client.query(
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id)
     values (gen_random_uuid(), $1, 'live', gen_random_uuid(), 1500, 'EUR', 'F11')`,
    [shop.id],
  )
  const waiting = Promise.all(tokens.map((token) => pressPay(baseUrl, token)))
  const countWaiting = async () => {
    const text = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return (await client.query(text)).rows.length
  }
  await until(async () => (await countWaiting()) > 0, 'the payers wait')
  for (let index = 0; index < 10; index += 1) {
    const link = toLink(shop, { customId: `F11-other-${index}` })
    await until(async () => (await openLink(baseUrl, link)).status === 200, 'another page is served')
    // Some connections of the pool must stay free for other requests.
    assert.ok((await countWaiting()) <= 12)
  }
  for (const response of await waiting) assertOutcome(response, ['unavailable'])
  await client.query('rollback')
  await assertPaidOnce('F11', tokens[0]!)
})

test('if the row of a payment is locked when its result is stored, the payment stays "processing" until the lock is released', async (t) => {
  const client = await connect()
  t.after(() => client.end())
  const token = await openPage('F11-row')
  onceAt('S4', async () => {
    await client.query('begin')
    await client.query("select from transactions where custom_id = 'F11-row' for update")
  })
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'processing')
  await client.query('rollback')
  await assertPaidOnce('F11-row', token)
})

for (const code of ['40P01', '40001']) {
  for (const [table, fails, outcome] of [
    ['transactions', 4, 'succeeded'],
    ['callbacks', 4, 'succeeded'],
    ['transactions', 5, 'unavailable'],
    ['callbacks', 5, 'processing'],
  ] as const) {
    test(`when the insert into ${table} is rolled back ${fails} times with ${code}, the payer gets "${outcome}", and the order is charged once`, async (t) => {
      const client = await connect()
      t.after(() => client.end())
      await client.query(`
        create sequence rounds;
        create function conflict() returns trigger language plpgsql as $$
        begin
          if nextval('rounds') <= ${fails} then raise exception 'again' using errcode = '${code}'; end if;
          return new;
        end $$;
        create trigger conflict before insert on ${table} for each row execute function conflict();`)
      const name = `F12-${code}-${table}-${fails}`
      const token = await openPage(name)
      assert.equal(toOutcome(await pressPay(baseUrl, token)), outcome)
      await client.query(`drop trigger conflict on ${table}; drop function conflict(); drop sequence rounds`)
      await assertPaidOnce(name, token)
    })
  }
}
