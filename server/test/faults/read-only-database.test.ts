// Tests a database that can be read but not written: a former primary, a standby, a full disk, or a primary without its
// synchronous standby.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { openLink, pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { addPayProject, toLink } from '../payer.ts'
import { listCallbacks, resolveOpenPayments, startPayments } from '../payments.ts'
import { startRestartableDatabase } from '../restartable-database.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'
import { serve } from './serve.ts'

const database = await startRestartableDatabase()
const upstream = await startUpstream()
// The tests wait for this time-out, so it is the shortest one that the service accepts.
const env = { ...upstream.env, DATABASE_QUERY_TIMEOUT_MS: '6000' }
const { deps } = await startPayments(env, { databaseUrl: database.url })
const { db } = deps
const shop = await addPayProject(deps)
const baseUrl = await serve(deps)
after(async () => {
  await upstream.stop()
  await database.stop()
})

async function asOperator(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: database.adminUrl,
    // These settings let the operator end each fault.
    options: '-c default_transaction_read_only=off -c synchronous_commit=local',
  })
  await client.connect()
  try {
    for (const text of statements) await client.query(text)
  } finally {
    await client.end()
  }
}

/** Whether a commit waits for the synchronous standby. If so, the reloaded settings have taken effect. */
async function hangsAtCommit(): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  // A lost connection needs no handling here, because the queries below then fail.
  client.on('error', () => undefined)
  await client.connect()
  const { rows: sessions } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const committed = client.query("select pg_logical_emit_message(true, 'probe', '')").then(
    () => true,
    () => false,
  )
  const hung = await Promise.race([committed.then(() => false), delay(500, true)])
  if (hung) await asOperator(`select pg_terminate_backend(${sessions[0]!.pid})`)
  await client.end()
  return hung
}

const configure = (change: string) => asOperator(`alter system ${change}`, 'select pg_reload_conf()')

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await configure(
    isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only',
  )
  const expected = isReadOnly ? 'on' : 'off'
  await until(async () => (await readSetting('default_transaction_read_only')) === expected, 'the reload')
}

async function readSetting(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  try {
    const { rows: found } = await client.query<{ value: string }>('select current_setting($1) as value', [
      name,
    ])
    return found[0]!.value
  } finally {
    await client.end()
  }
}

async function restartAsStandby(isStandby: boolean): Promise<void> {
  const signal = path.join(database.data, 'standby.signal')
  await database.crash()
  if (isStandby) await writeFile(signal, '')
  else await rm(signal)
  await database.start()
}

/** When a row is written, these triggers raise the error that PostgreSQL raises for a full disk. */
const FULL_DISK_TRIGGERS = ['transactions', 'callbacks'].map(
  (table) => `create trigger full_disk before insert or update on ${table} execute function full_disk()`,
)

interface Fault {
  name: string
  begin: () => Promise<void>
  end: () => Promise<void>
  /** A payment whose payer got a 503 may still be committed when the fault ends. */
  mayCommitLate?: true
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a former primary that was set read-only',
    begin: () => setReadOnly(true),
    end: () => setReadOnly(false),
  },
  {
    name: 'a standby after a switchover',
    begin: () => restartAsStandby(true),
    end: () => restartAsStandby(false),
  },
  {
    name: 'a full disk',
    begin: () =>
      asOperator(
        `create or replace function full_disk() returns trigger language plpgsql as $$
         begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
        ...FULL_DISK_TRIGGERS,
      ),
    end: () => asOperator('drop trigger full_disk on transactions', 'drop trigger full_disk on callbacks'),
  },
  {
    name: 'a synchronous standby that is down',
    begin: async () => {
      await configure("set synchronous_standby_names = 'gone'")
      await until(hangsAtCommit, 'commits wait for the standby')
    },
    end: () => configure('reset synchronous_standby_names'),
    mayCommitLate: true,
  },
]

const isReady = async () => (await openLink(baseUrl, '/readyz')).status === 200

async function assertPaidOnce(customId: string, token: string): Promise<void> {
  await until(isReady, 'the service is ready again')
  await resolveOpenPayments(deps)
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'succeeded')
  const found = await rows<{ id: string }>(
    db,
    "select id from transactions where custom_id = $1 and state = 'succeeded'",
    [customId],
  )
  assert.equal(found.length, 1)
  assert.equal((await listCallbacks(db, found[0]!.id)).length, 1)
  await assertBooksAgree(db, await upstream.books())
}

async function assertRefusedBeforeCharge(fault: Fault, name: string): Promise<void> {
  const token = await openForToken(baseUrl, shop, { customId: name })
  const { charges: chargesBefore } = await upstream.books()
  await fault.begin()
  const response = await pressPay(baseUrl, token)
  assert.equal(response.status, 503, JSON.stringify(response.body))
  assert.match(response.retryAfter ?? '', /^[1-9]\d*$/)
  await until(async () => !(await isReady()), 'the service reports that it is not ready')
  assert.notEqual((await openLink(baseUrl, toLink(shop, { customId: `${name}-page` }))).status, 500)
  await fault.end()
  await until(isReady, 'the service is ready again')
  await resolveOpenPayments(deps)
  assert.deepEqual((await upstream.books()).charges, chargesBefore, 'nothing was charged')
  // A payment that was committed late has failed as "not charged", so the payer needs a new form.
  const nextToken = fault.mayCommitLate ? await openForToken(baseUrl, shop, { customId: name }) : token
  await assertPaidOnce(name, nextToken)
}

async function assertKeptAfterCharge(fault: Fault, name: string): Promise<void> {
  const token = await openForToken(baseUrl, shop, { customId: name })
  deps.failpoint = async (reached) => {
    if (reached !== 'S4') return
    deps.failpoint = () => undefined
    await fault.begin()
  }
  assert.equal(toOutcome(await pressPay(baseUrl, token)), 'processing')
  await fault.end()
  await assertPaidOnce(name, token)
}

function toOrderName(t: TestContext, round: number): string {
  return `${t.name.replaceAll(/\W+/g, '-')}-${round}`
}

for (const fault of FAULTS) {
  test(`${fault.name} before the charge: the payer gets 503, and the order is paid once later`, async (t) => {
    const rounds = countRounds('readOnlyDatabase', t)
    for (let round = 0; round < rounds; round += 1)
      await assertRefusedBeforeCharge(fault, toOrderName(t, round))
  })

  test(`${fault.name} after the charge: the payer gets "processing", and the charge is found later`, async (t) => {
    const rounds = countRounds('readOnlyDatabase', t)
    for (let round = 0; round < rounds; round += 1) await assertKeptAfterCharge(fault, toOrderName(t, round))
  })
}
