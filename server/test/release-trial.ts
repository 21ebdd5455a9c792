// Runs replicas of different releases on one database while payers use all of them in turn.
// Why this is long: the trial and its checks share their counts.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDb } from '../src/db/pool.ts'
import type { Db } from '../src/db/pool.ts'
import { rows } from './accounts.ts'
import { untilAllDelivered } from './callbacks/fleet.ts'
import { runShare } from './counts.ts'
import { createTestDatabase } from './database.ts'
import { TEST_KEY } from './harness.ts'
import { HttpClient } from './http-client.ts'
import { openLink, pressPay } from './http-payer.ts'
import type { PayerResponse } from './http-payer.ts'
import { assertBooksAgree } from './ledger-check.ts'
import { startMerchant } from './merchant.ts'
import type { Merchant } from './merchant.ts'
import { toLink } from './payer.ts'
import { startServiceProcess } from './service-process.ts'
import type { ServiceProcess, StartOptions } from './service-process.ts'
import { until } from './until.ts'
import { startUpstream } from './upstream-process.ts'
import type { UpstreamProcess } from './upstream-process.ts'

/** Enough payers that requests are in progress most of the time, and so few that a busy machine refuses no request. */
const PAYERS = 3
/** The pause between two payments of a payer. In `npm test`, the pause keeps the load low, above all while a process starts. */
const PAUSE_MS = runShare === 'prove' ? 0 : 50
const START_PAUSE_MS = runShare === 'prove' ? 0 : 300
const PAYMENTS_PER_STEP = runShare === 'prove' ? 20 : 10
/** How many health checks must succeed in a row before a load balancer uses a replica. */
const HEALTHY_AFTER_CHECKS = 3
/** This many attempts take longer than a replica takes to stop or to start. */
const ATTEMPTS_MAX = 400

/** 1500 is paid, 4000 is declined, 4004 is paid at the bank. 4005 is paid, although the upstream responds with an error. */
const AMOUNTS = ['1500', '4000', '1500', '4004', '1500', '4005']
const DECLINED = '4000'
const AT_BANK = '4004'
/** The statuses of payments that succeeded, are open or were declined. */
const PAY_STATUSES = [200, 202, 402]

/** Makes lookups due now, and skips rows that a reconciler has locked. */
const MAKE_DUE = `update transactions set next_check_at = now() where id in (
  select id from transactions where next_check_at > now() for update skip locked)`
const MAKE_DUE_EVERY_MS = 200

interface Replica {
  name: string
  process: ServiceProcess
  /** The replica is being stopped. If it refuses a request and another replica serves the request, that is not a failure. */
  isLeaving: boolean
}

class ReleaseTrial {
  readonly replicas: Replica[] = []
  readonly refused: { replica: Replica; response: PayerResponse }[] = []
  readonly results = new Map<string, string>()
  readonly merchant: Merchant
  readonly upstream: UpstreamProcess
  readonly db: Db
  readonly databaseUrl: string
  readonly dir: string
  shopId = ''
  isOver = false
  pauseMs = PAUSE_MS
  private requests = 0
  private orders = 0

  constructor(parts: Pick<ReleaseTrial, 'merchant' | 'upstream' | 'db' | 'databaseUrl' | 'dir'>) {
    this.merchant = parts.merchant
    this.upstream = parts.upstream
    this.db = parts.db
    this.databaseUrl = parts.databaseUrl
    this.dir = parts.dir
  }

  async start(name: string, release: Pick<StartOptions, 'root' | 'main'> = {}): Promise<void> {
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: path.join(this.dir, name),
      SECRETS_KEY: TEST_KEY,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      CALLBACK_ALLOW_HOSTS: this.merchant.hostAndPort,
      ...this.upstream.env,
    }
    this.pauseMs = START_PAUSE_MS
    const process = await startServiceProcess(env, release)
    // A load balancer uses only replicas that are ready.
    let checks = 0
    await until(async () => {
      checks = (await fetch(`${process.baseUrl}/readyz`)).ok ? checks + 1 : 0
      return checks >= HEALTHY_AFTER_CHECKS
    }, `${name} is ready`)
    this.replicas.push({ name, process, isLeaving: false })
    this.pauseMs = PAUSE_MS
  }

  async stop(name: string): Promise<void> {
    const leaving = this.replicas.find((one) => one.name === name)
    assert.ok(leaving)
    leaving.isLeaving = true
    assert.equal(await leaving.process.stop(), 0, leaving.process.output())
    this.replicas.splice(this.replicas.indexOf(leaving), 1)
  }

  /** Sends the request to one replica after the other until one serves it. `refused` records unexpected refusals. */
  async sendToNext(request: (baseUrl: string) => Promise<PayerResponse>): Promise<PayerResponse> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      this.requests += 1
      const replica = this.replicas[this.requests % this.replicas.length]!
      const response = await request(replica.process.baseUrl)
      if (response.status !== 0 && response.status < 500) return response
      if (!replica.isLeaving) this.refused.push({ replica, response })
      await sleep(20)
    }
    assert.fail('no replica responds')
  }

  async pay(): Promise<void> {
    this.orders += 1
    const customId = `order-${this.orders}`
    const amount = AMOUNTS[this.orders % AMOUNTS.length]!
    const shop = { id: this.shopId, secrets: { live: '', test: '' } }
    const page = await this.sendToNext((to) => openLink(to, toLink(shop, { amount, customId })))
    assert.equal(page.status, 200, JSON.stringify(page.body))
    const pressed = await this.sendToNext((to) => pressPay(to, String(page.body['token'])))
    assert.ok(PAY_STATUSES.includes(pressed.status), JSON.stringify(pressed))
    if (amount === AT_BANK) await this.upstream.actAtBank(String(pressed.body['transactionId']), 'approve')
    this.results.set(customId, amount === DECLINED ? 'fail' : 'success')
  }

  async waitForPayments(): Promise<void> {
    const completedTarget = this.results.size + PAYMENTS_PER_STEP
    await until(() => this.results.size >= completedTarget || this.isOver, 'payments go through')
  }
}

export async function openReleaseTrial(t: TestContext): Promise<ReleaseTrial> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  const [merchant, upstream] = await Promise.all([startMerchant(), startUpstream()])
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-side-by-side-'))
  const db = openDb(database.url, { onError: () => undefined })
  const trial = new ReleaseTrial({ merchant, upstream, db, databaseUrl: database.url, dir })
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

/** Adds the project over HTTP, because this release's code may not fit the old schema. */
export async function addShop({ replicas, merchant }: ReleaseTrial): Promise<string> {
  const owner = new HttpClient(replicas[0]!.process.baseUrl)
  await owner.ok('POST', '/portal/api/sign-up', { email: 'ana@example.com', password: 'seven green goats' })
  const urls = { resultUrl: 'https://shop.example.com/thanks', apiUrl: merchant.url }
  return String((await owner.ok('POST', '/sdk/project/add', { name: 'Shop', ...urls }))['id'])
}

/** The error texts of this release and of earlier releases. */
const LOGIN_TIMED_OUT = /no login to the database within|Connection terminated due to connection timeout/

/** On a busy machine, connecting to PostgreSQL may time out. A request that was refused for that reason is not a failure. */
function toFailures({ refused }: ReleaseTrial): { failures: string[]; connectionTimeouts: number } {
  const failures = refused.filter(({ replica, response }) => {
    const lines = replica.process.output().split('\n')
    const line = lines.find((one) => one.includes(`"reqId":"${String(response.body['requestId'])}"`))
    return response.status !== 503 || !LOGIN_TIMED_OUT.test(line ?? '')
  })
  return {
    failures: failures.map(
      ({ replica, response }) =>
        `${replica.name}: ${response.status} ${JSON.stringify(response.body)}\n${replica.process.output()}`,
    ),
    connectionTimeouts: refused.length - failures.length,
  }
}

/** The payments that failed although they should not, for the error message. */
async function describeFailed(db: Db): Promise<string> {
  const failed = await rows<{ id: string }>(
    db,
    `select custom_id, amount::text, state, failure_code, checks, completed_at - created_at as took
     from transactions where state in ('failed', 'expired') and amount <> $1`,
    [DECLINED],
  )
  return `the results of the payments differ; these failed but should not: ${JSON.stringify(failed)}`
}

/**
 * Payers pay while `steps` run. No payment may be missing. A request may fail only at a replica that is being stopped,
 * or because connecting to PostgreSQL takes too long.
 */
export async function underLoad(
  t: TestContext,
  trial: ReleaseTrial,
  steps: () => Promise<void>,
): Promise<void> {
  trial.shopId = await addShop(trial)
  const payer = async () => {
    while (!trial.isOver) {
      await trial.pay()
      await sleep(trial.pauseMs)
    }
  }
  const load = Promise.all(Array.from({ length: PAYERS }, payer)).finally(() => (trial.isOver = true))
  load.catch(() => undefined) // The error is thrown below, when `steps` has ended.
  try {
    await steps()
  } finally {
    trial.isOver = true
    await load
  }
  const { db, merchant, upstream } = trial
  await until(async () => {
    await rows(db, MAKE_DUE)
    await sleep(MAKE_DUE_EVERY_MS)
    const open = "select from transactions where state in ('processing', 'requires_action') limit 1"
    return (await rows(db, open)).length === 0
  }, 'every payment ends')
  await untilAllDelivered(db)
  const { failures, connectionTimeouts } = toFailures(trial)
  assert.deepEqual(failures, [])
  await assertBooksAgree(db, await upstream.books())
  const received = merchant.received.map(
    ({ body }) => [String(body['customId']), String(body['status'])] as const,
  )
  assert.equal(received.length, trial.results.size, 'each result is reported once')
  assert.deepEqual(new Map(received), trial.results, await describeFailed(db))
  t.diagnostic(
    `${trial.results.size} payments, ${connectionTimeouts} requests refused because connecting to PostgreSQL took too long`,
  )
}
