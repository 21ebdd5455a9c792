// Two releases on one database: a deploy, an old replica that restarts in the middle of it, and a rollback, with payers
// paying all the while. Every request goes to another replica than the one before, so that a form opened with one
// release is sent to the other.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/pool.ts'
import type { Db } from '../../src/db/pool.ts'
import { rows } from '../accounts.ts'
import { untilAllDelivered } from '../callbacks/fleet.ts'
import { count } from '../counts.ts'
import { createTestDatabase } from '../database.ts'
import { TEST_KEY } from '../harness.ts'
import { HttpClient } from '../http-client.ts'
import { openLink, pressPay } from '../http-payer.ts'
import type { Answer } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { startMerchant } from '../merchant.ts'
import type { Merchant } from '../merchant.ts'
import { findWhyMissing, unpackRelease } from '../old-release.ts'
import { toLink } from '../payer.ts'
import { makeDue } from '../payments.ts'
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'
import type { UpstreamProcess } from '../upstream-process.ts'

/** The first release that reads the marker of migrations: any older one refuses every newer schema. */
const LAST_RELEASE = '89207d10a2caa70e9e044b9340948d09dcb59807'
/** The release before it: it goes on running while a newer one migrates, but cannot be started afterwards. */
const RELEASE_WITHOUT_MARKERS = '9f1046faf11d053ac605cf1f7227ec975149d7e9'

const PAYERS = 4
/** So many payments between one step of a deploy and the next. */
const PAYMENTS_PER_STEP = 20
/** Longer than a replica takes to stop or to start. */
const TRIES_MAX = 400

/** Paid at once, declined, through the bank's page, and without a response, which a reconciler has to look up. */
const AMOUNTS = ['1500', '4000', '1500', '4004', '1500', '4005']
const DECLINED = '4000'
const AT_BANK = '4004'
/** Ended well, under way, declined. */
const PRESSED = [200, 202, 402]

/** The next release's schema, whatever this one's brings: a table, columns with and without a default, an index. */
const NEXT_MIGRATIONS = [
  { inTransaction: true, sql: 'create table next_notes (id uuid primary key, note text not null)' },
  {
    inTransaction: true,
    sql: `alter table transactions add column next_note text, add column next_kind text not null default 'card';
      alter table callbacks add column next_note text; alter table projects add column next_note text`,
  },
  {
    inTransaction: false,
    sql: 'create index concurrently if not exists transactions_next on transactions (project_id, next_kind)',
  },
]

interface Replica {
  name: string
  process: ServiceProcess
  /** Being stopped: what it refuses or cuts off is no failure, as long as another one does it. */
  isLeaving: boolean
}

class Trial {
  readonly replicas: Replica[] = []
  readonly failures: string[] = []
  /** Which result the merchant has to get for each order. */
  readonly results = new Map<string, string>()
  readonly merchant: Merchant
  readonly upstream: UpstreamProcess
  readonly db: Db
  readonly databaseUrl: string
  readonly dir: string
  shopId = ''
  isOver = false
  private requests = 0
  private orders = 0

  constructor(parts: Pick<Trial, 'merchant' | 'upstream' | 'db' | 'databaseUrl' | 'dir'>) {
    this.merchant = parts.merchant
    this.upstream = parts.upstream
    this.db = parts.db
    this.databaseUrl = parts.databaseUrl
    this.dir = parts.dir
  }

  async start(name: string, root?: string): Promise<void> {
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: path.join(this.dir, name),
      SECRETS_KEY: TEST_KEY,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      CALLBACK_ALLOW_HOSTS: this.merchant.pair,
      ...this.upstream.env,
    }
    const process = await startServiceProcess(env, root === undefined ? {} : { root })
    this.replicas.push({ name, process, isLeaving: false })
  }

  async stop(name: string): Promise<void> {
    const leaving = this.replicas.find((one) => one.name === name)
    assert.ok(leaving)
    leaving.isLeaving = true
    assert.equal(await leaving.process.stop(), 0, leaving.process.output())
    this.replicas.splice(this.replicas.indexOf(leaving), 1)
  }

  /** As a balancer: the next replica each time, and another one for what a leaving one refuses. */
  async ask(request: (baseUrl: string) => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      this.requests += 1
      const replica = this.replicas[this.requests % this.replicas.length]!
      const answer = await request(replica.process.baseUrl)
      if (answer.status !== 0 && answer.status < 500) return answer
      if (!replica.isLeaving)
        this.failures.push(`${replica.name}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(20)
    }
    assert.fail('no replica responds')
  }

  async pay(): Promise<void> {
    this.orders += 1
    const customId = `order-${this.orders}`
    const amount = AMOUNTS[this.orders % AMOUNTS.length]!
    const shop = { id: this.shopId, secrets: { live: '', test: '' } }
    const page = await this.ask((to) => openLink(to, toLink(shop, { amount, customId })))
    assert.equal(page.status, 200, JSON.stringify(page.body))
    const pressed = await this.ask((to) => pressPay(to, String(page.body['token'])))
    assert.ok(PRESSED.includes(pressed.status), JSON.stringify(pressed))
    if (amount === AT_BANK) await this.upstream.actAtBank(String(pressed.body['transactionId']), 'approve')
    this.results.set(customId, amount === DECLINED ? 'fail' : 'success')
  }

  /** Waits until that much has been paid with the replicas that run now. */
  async some(): Promise<void> {
    const enough = this.results.size + PAYMENTS_PER_STEP
    await until(() => this.results.size >= enough || this.isOver, 'payments go through')
  }
}

async function openTrial(t: TestContext): Promise<Trial> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  const [merchant, upstream] = await Promise.all([startMerchant(), startUpstream()])
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-side-by-side-'))
  const db = openDb(database.url, { onError: () => undefined })
  const trial = new Trial({ merchant, upstream, db, databaseUrl: database.url, dir })
  t.after(async () => {
    for (const { process } of trial.replicas) await process.kill()
    await db.close()
    await merchant.close()
    await upstream.stop()
    await database.drop()
    await rm(dir, { recursive: true, force: true })
  })
  return trial
}

/** Over HTTP: this release's own code may not fit the schema of the old one. */
async function addShop({ replicas, merchant }: Trial): Promise<string> {
  const owner = new HttpClient(replicas[0]!.process.baseUrl)
  await owner.ok('POST', '/portal/api/sign-up', { email: 'ana@example.com', password: 'seven green goats' })
  const urls = { resultUrl: 'https://shop.example.com/thanks', apiUrl: merchant.url }
  return String((await owner.ok('POST', '/sdk/project/add', { name: 'Shop', ...urls }))['id'])
}

async function migrateToNext(databaseUrl: string): Promise<void> {
  const all = await readMigrations()
  const next = NEXT_MIGRATIONS.map((one, index) => {
    const version = all.length + 1 + index
    return { ...one, version, name: `${version}_next`, checksum: one.sql, additive: true }
  })
  assert.equal(await migrate(databaseUrl, { migrations: [...all, ...next] }), next.length)
}

/** Payers pay while `steps` are done; afterwards nothing has failed and nothing is missing. */
async function underLoad(t: TestContext, trial: Trial, steps: () => Promise<void>): Promise<void> {
  trial.shopId = await addShop(trial)
  const payer = async () => {
    while (!trial.isOver) await trial.pay()
  }
  const load = Promise.all(Array.from({ length: PAYERS }, payer)).finally(() => (trial.isOver = true))
  load.catch(() => undefined) // Thrown again below, once the step under way has ended.
  try {
    await steps()
  } finally {
    trial.isOver = true
    await load
  }
  const { db, merchant, upstream } = trial
  await until(async () => {
    await makeDue(db)
    const open = "select from transactions where state in ('processing', 'requires_action') limit 1"
    return (await rows(db, open)).length === 0
  }, 'every payment ends')
  await untilAllDelivered(db)
  assert.deepEqual(trial.failures, [])
  await assertBooksAgree(db, await upstream.books())
  const received = merchant.received.map(
    ({ body }) => [String(body['customId']), String(body['status'])] as const,
  )
  assert.equal(received.length, trial.results.size, 'each result is reported once')
  assert.deepEqual(new Map(received), trial.results)
  t.diagnostic(`${trial.results.size} payments`)
}

const whyNoRelease = await findWhyMissing(LAST_RELEASE)
const whyNoOlder = await findWhyMissing(RELEASE_WITHOUT_MARKERS)

test(
  'the last release and this one run side by side: a deploy, an old replica that restarts in it, and a rollback',
  { skip: whyNoRelease ?? false },
  async (t) => {
    const old = await unpackRelease(LAST_RELEASE)
    t.after(() => old.remove())
    const rounds = count('sideBySide', t)
    for (let round = 0; round < rounds; round += 1) {
      const trial = await openTrial(t)
      await trial.start('old 1', old.root)
      await trial.start('old 2', old.root)
      await underLoad(t, trial, async () => {
        await trial.some()
        await trial.start('new 1')
        await migrateToNext(trial.databaseUrl)
        await trial.some()
        await trial.stop('old 2')
        await trial.start('old 2', old.root)
        await trial.some()
        await trial.start('new 2')
        await trial.stop('old 1')
        await trial.some()
        // The new release turns out to be a bad one.
        await trial.start('old 1', old.root)
        await trial.stop('new 1')
        await trial.stop('new 2')
        await trial.some()
      })
      for (const { name } of [...trial.replicas]) await trial.stop(name)
    }
  },
)

test(
  'a release from before the markers keeps serving while this one migrates and takes over',
  { skip: whyNoOlder ?? false },
  async (t) => {
    const old = await unpackRelease(RELEASE_WITHOUT_MARKERS)
    t.after(() => old.remove())
    const trial = await openTrial(t)
    await trial.start('old', old.root)
    await underLoad(t, trial, async () => {
      await trial.some()
      await trial.start('new')
      await migrateToNext(trial.databaseUrl)
      await trial.some()
      await trial.stop('old')
      await trial.some()
    })
    await trial.stop('new')
  },
)

test(
  'an embedded database of the last release is taken over by this one, and back again',
  { skip: whyNoRelease ?? false },
  async (t) => {
    const old = await unpackRelease(LAST_RELEASE)
    const dir = await mkdtemp(path.join(tmpdir(), 'pazar-handed-over-'))
    t.after(() => Promise.all([old.remove(), rm(dir, { recursive: true, force: true })]))
    const env = { NODE_ENV: 'test', DATA_DIR: dir, SECRETS_KEY: TEST_KEY, LOG_LEVEL: 'warn', DEMO: 'off' }
    const ana = { email: 'ana@example.com', password: 'seven green goats' }
    for (const [release, route] of [
      ['old', '/portal/api/sign-up'],
      ['new', '/portal/api/sign-in'],
      ['old', '/portal/api/sign-in'],
      ['new', '/portal/api/sign-in'],
    ] as const) {
      const service = await startServiceProcess(env, release === 'old' ? { root: old.root } : {})
      t.after(() => service.kill())
      await new HttpClient(service.baseUrl).ok('POST', route, ana)
      assert.equal(await service.stop(), 0, service.output())
    }
  },
)
