// The database is restored from a backup. The restore gate stops payments and refunds until the charges and refunds made
// after the backup are stored again.
// Why this is long: all tests share the setup of a lost database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { BOOKS_CHECK_ITEMS_MAX } from '@pazar/contract'
import { findAccountByEmail } from '../../src/accounts/accounts-store.ts'
import { createApp } from '../../src/app.ts'
import { parseConfig } from '../../src/config.ts'
import { readRestoreGate, writeOpen } from '../../src/db/gate-store.ts'
import type { Statement } from '../../src/db/pool.ts'
import type { Http } from '../../src/http/server.ts'
import { applyRestoredFrom } from '../../src/reconciliation/close-gate.ts'
import { reconcileSince } from '../../src/reconciliation/reconcile-since.ts'
import { createRestoreWatch } from '../../src/reconciliation/watch-restore.ts'
import { toDate } from '../../src/lib/clock.ts'
import { newUuidV7 } from '../../src/lib/id.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { adoptPayment } from '../../src/payments/adopt-store.ts'
import { reconcileOnce } from '../../src/payments/reconcile.ts'
import { findOwnerId } from '../../src/projects/projects-store.ts'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { wire } from '../../src/wire.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { createTestDatabase } from '../database.ts'
import type { TestDatabase } from '../database.ts'
import { addPayProject, toLink } from '../payer.ts'
import type { PayProject } from '../payer.ts'
import { startUpstream } from '../upstream-process.ts'

const DAY_MS = 24 * 3_600_000
const upstream = await startUpstream()
const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-restore-'))
const databases: TestDatabase[] = []
const key = randomBytes(32).toString('base64')
const stops = new Set<() => Promise<void>>()
after(async () => {
  for (const stop of stops) await stop()
  await upstream.stop()
  for (const database of databases.toReversed()) await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

interface Running {
  deps: Deps
  app: Http
  stop: () => Promise<void>
}

async function start(database: TestDatabase, env: Record<string, string> = {}): Promise<Running> {
  const config = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRETS_KEY: key,
    RATE_LIMITS: 'off',
    ...upstream.env,
    ...env,
  })
  const log = createLogger('silent')
  const deps = await wire(config, { databaseUrl: database.url, log })
  const app = await createApp(deps)
  const stop = async () => {
    stops.delete(stop)
    await app.close()
    await deps.responseCounter.close()
    await deps.db.close()
  }
  stops.add(stop)
  return { deps, app, stop }
}

async function open({ app }: Running, link: string) {
  const response = await app.inject({ url: link, headers: { accept: 'application/json' } })
  return { status: response.statusCode, body: response.json<Record<string, string>>() }
}

async function press({ app }: Running, token: string) {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: '/pay', headers, payload: { token } })
  return { status: response.statusCode, body: response.json<Record<string, string>>() }
}

async function refund({ deps }: Running, project: PayProject, transactionId: string, n: number) {
  const ownerId = await findOwnerId(deps.db, project.id)
  const account = (await findAccountByEmail(deps.db, `owner-${ownerId}@example.com`))!
  const caller = { account, sessionId: 'session', token: null, stepUpUntil: null, ip: '', userAgent: '' }
  const body = { projectId: project.id, transactionId, amount: '100', idempotencyKey: `refund-${n}` }
  return requestRefund(deps, caller, body, () => undefined)
}

interface PaidPage {
  link: string
  token: string
  transactionId: string
  customId: string | null
}

async function pay(running: Running, project: PayProject, customId: string | null): Promise<PaidPage> {
  const link = toLink(project, customId === null ? { data: newUuidV7(running.deps.clock) } : { customId })
  const token = (await open(running, link)).body['token']!
  const { body } = await press(running, token)
  assert.equal(body['status'], 'succeeded')
  return { link, token, transactionId: body['transactionId']!, customId }
}

const countCharges = async () => (await upstream.books()).charges.length
const countRefunds = async () => (await upstream.books()).refunds.length

/** Makes payments and refunds after a backup, so that the backup does not have them. */
async function makeBackupAndPayments(payments: number, refunds: number) {
  const database = await createTestDatabase()
  databases.push(database)
  // All test databases have the same installation id. This database gets another id, because these tests share
  // an upstream.
  const unused = await start(database)
  await rows(unused.deps.db, 'update installation set id = gen_random_uuid()')
  await unused.stop()
  const beforeBackup = await start(database)
  const project = await addPayProject(beforeBackup.deps)
  await pay(beforeBackup, project, 'before-1')
  // In the backup this payment is open at the bank. Later it is declined, and another payment pays its order.
  const openToken = (await open(beforeBackup, toLink(project, { customId: 'retried', amount: '4004' }))).body[
    'token'
  ]!
  const atBank = (await press(beforeBackup, openToken)).body['transactionId']!
  await beforeBackup.stop()
  const backup = await database.copy()
  databases.push(backup)

  const afterBackup = await start(database)
  const pages: PaidPage[] = []
  for (let n = 0; n < payments; n += 1)
    pages.push(await pay(afterBackup, project, n % 2 === 0 ? `o-${n}` : null))
  for (let n = 0; n < refunds; n += 1) await refund(afterBackup, project, pages[n]!.transactionId, n)
  await upstream.actAtBank(atBank, 'decline')
  await rows(
    afterBackup.deps.db,
    'update transactions set next_check_at = now() where next_check_at is not null',
  )
  await reconcileOnce(afterBackup.deps)
  pages.push(await pay(afterBackup, project, 'retried'))
  const unpaid = (await open(afterBackup, toLink(project, { customId: 'unpaid' }))).body['token']!
  await afterBackup.stop()
  return { database, backup, project, pages, unpaid, atBank }
}

function failOnce({ deps }: Running, name: string): void {
  const { db } = deps
  const query = db.query.bind(db)
  db.query = async <Row extends object>(statement: Statement, values?: readonly unknown[]) => {
    if (statement.name !== name) return query<Row>(statement, values)
    db.query = query
    throw new Error('the connection is lost')
  }
}

async function reconcile({ deps }: Running, isDry = false) {
  const since = (await readRestoreGate(deps.db)).since ?? toDate(0)
  return reconcileSince(deps, {
    since,
    isDry,
    acceptUnlisted: false,
    acceptFailed: false,
    onProgress: () => undefined,
  })
}

test('after a restore, old pages, links and requests charge and refund nothing twice', async (t) => {
  const payments = countRounds('restoredPayments', t)
  const refunds = Math.ceil(payments / 5)
  const { backup, project, pages, unpaid } = await makeBackupAndPayments(payments, refunds)
  const charges = await countCharges()
  const refunded = await countRefunds()
  const restored = await start(backup, { RESTORED_FROM: 'nightly 2026-11-16' })
  const { deps, app } = restored
  await rows(deps.db, 'update accounts set email_confirmed_at = now()')
  await applyRestoredFrom(deps)

  // While payments are stopped, pages and /readyz say so.
  const [known] = await rows<{ id: string }>(
    deps.db,
    "select id from transactions where custom_id = 'before-1'",
  )
  const page = await app.inject({ url: pages[0]!.link, headers: { 'accept-language': 'en' } })
  assert.equal(page.statusCode, 503)
  assert.match(page.body, /Payments are stopped for now/)
  const inMontenegrin = await app.inject({ url: pages[0]!.link, headers: { 'accept-language': 'sr-ME' } })
  assert.match(inMontenegrin.body, /Plaćanja su privremeno zaustavljena/)
  for (const { token } of pages.slice(0, 2)) assert.equal((await press(restored, token)).status, 503)
  await assert.rejects(refund(restored, project, known!.id, 99), { code: 'unavailable' })
  assert.equal(await reconcileOnce(deps), 0)
  assert.deepEqual((await app.inject('/readyz')).json(), { status: 'ready', payments: 'stopped' })
  assert.match(await deps.metrics.text(), /pazar_restore_gate_closed 1/)
  const [state] = await rows<Record<string, number>>(
    deps.db,
    `select (select count(*) from sessions)::int as sessions, (select count(*) from feed_epochs)::int as epochs,
       (select count(*) from mails where kind = 'restored')::int as mails,
       (select count(*) from incidents where kind = 'restored' and closed_at is null)::int as incidents`,
  )
  assert.deepEqual(state, { sessions: 0, epochs: 2, mails: 1, incidents: 1 })

  // A dry run changes nothing. The real run stores the missing payments and opens the gate.
  const dry = await reconcile(restored, true)
  assert.equal(dry.upstreams[0]!.payments.adopted, payments + 1)
  assert.equal(dry.gate, 'kept_closed')
  const reconciled = await reconcile(restored)
  assert.equal(reconciled.gate, 'opened')
  const { adopted, updated, duplicate, orphan } = reconciled.upstreams[0]!.payments
  assert.deepEqual(
    { adopted, updated, duplicate, orphan },
    { adopted: payments + 1, updated: 1, duplicate: 0, orphan: 0 },
  )
  assert.equal(reconciled.upstreams[0]!.refunds.missing, refunds)

  for (const { token, link, transactionId, customId } of pages) {
    const pressed = await press(restored, token)
    assert.equal(pressed.body['status'], 'succeeded', JSON.stringify(pressed.body))
    assert.equal(pressed.body['transactionId'], transactionId)
    if (customId === null) continue
    const secondToken = (await open(restored, link)).body['token']
    if (secondToken !== undefined)
      assert.equal((await press(restored, secondToken)).body['status'], 'succeeded')
  }
  assert.deepEqual(await press(restored, unpaid).then(({ body }) => body['code']), 'token_expired')
  for (let n = 0; n < refunds; n += 1)
    assert.equal((await refund(restored, project, pages[n]!.transactionId, n)).isNew, false)
  assert.equal(await countCharges(), charges, 'charged twice')
  assert.equal(await countRefunds(), refunded, 'refunded twice')
  const failsOfPaidOrders = await rows(
    deps.db,
    `select c.id from callback_states c join transactions f on f.id = c.transaction_id
     where c.result = 'fail' and c.status not in ('delivered', 'cancelled') and exists (
       select from transactions p where p.project_id = f.project_id and p.custom_id = f.custom_id and p.state = 'succeeded')`,
  )
  assert.deepEqual(failsOfPaidOrders, [], 'no "fail" is sent for a paid order')

  // A second run changes nothing, and the same value of RESTORED_FROM does not stop payments again.
  await applyRestoredFrom(deps)
  const reconciledAgain = await reconcile(restored)
  assert.equal(reconciledAgain.gate, 'was_open')
  assert.equal(reconciledAgain.upstreams[0]!.payments.adopted, 0)
  assert.equal(reconciledAgain.upstreams[0]!.refunds.missing, 0)
  await pay(restored, project, 'afterwards')
  await restored.stop()
})

test('payments are stopped if the database lacks a payment that the upstream has or that the process stored', async () => {
  const { database, backup, project } = await makeBackupAndPayments(2, 1)
  const complete = await start(database)
  const watch = createRestoreWatch(complete.deps)
  await watch()
  assert.equal(complete.deps.restoreGate.isClosed(), false, 'no payment is missing')
  await pay(complete, project, 'own')
  await watch()
  assert.equal(complete.deps.restoreGate.isClosed(), false)
  complete.deps.lastWrite.remember(newUuidV7(complete.deps.clock))
  await watch()
  assert.equal((await readRestoreGate(complete.deps.db)).reason, 'write_lost')
  await complete.stop()

  const onBackup = await start(backup)
  await createRestoreWatch(onBackup.deps)()
  assert.equal((await readRestoreGate(onBackup.deps.db)).reason, 'upstream_ahead')
  assert.equal((await reconcile(onBackup)).gate, 'opened')
  await createRestoreWatch(onBackup.deps)()
  assert.equal(onBackup.deps.restoreGate.isClosed(), false)
  await onBackup.stop()
})

test('a lost charge whose order was paid again is put in review; a charge of an unknown project raises an incident', async () => {
  const { backup, project, pages } = await makeBackupAndPayments(1, 0)
  const onBackup = await start(backup, { RESTORED_FROM: 'a' })
  const { deps } = onBackup
  // Before payments are stopped, the order of the lost payment is paid again.
  await pay(onBackup, project, 'o-0')
  await applyRestoredFrom(deps)
  const { upstreams } = await reconcile(onBackup)
  assert.equal(upstreams[0]!.payments.duplicate, 1)
  const [duplicate] = await rows<{ needs_review: boolean; state: string }>(
    deps.db,
    'select needs_review, state from transactions where id = $1',
    [pages[0]!.transactionId],
  )
  assert.deepEqual(duplicate, { needs_review: true, state: 'failed' })
  await onBackup.stop()
  const database = await createTestDatabase()
  databases.push(database)
  const empty = await start(database)
  // The empty database gets the same installation id, so the charges belong to its installation. But their project is
  // missing.
  Object.assign(empty.deps.installation, { id: deps.installation.id })
  const { orphan } = (
    await reconcileSince(empty.deps, {
      ...{ since: toDate(0), isDry: false, acceptUnlisted: false, acceptFailed: false },
      onProgress: () => undefined,
    })
  ).upstreams[0]!.payments
  assert.ok(orphan >= 1)
  const incidents = await rows(empty.deps.db, "select from incidents where kind = 'orphan_charge'")
  assert.ok(incidents.length >= 1)
  await empty.stop()
})

test('payments are stopped after payments were lost, even if the upstream or the database fails at first', async (t) => {
  const { backup, project } = await makeBackupAndPayments(1, 0)
  const onBackup = await start(backup)
  const { deps } = onBackup
  let nowMs = deps.clock.nowMs()
  const watch = createRestoreWatch({ ...deps, clock: { ...deps.clock, nowMs: () => nowMs } })
  const { lists } = deps.backends.live
  const offered = t.mock.method(lists!, 'isOffered', () => Promise.reject(new Error('no response')))
  await assert.rejects(watch())
  offered.mock.restore()
  // A payment made after the restore, for example in test mode, does not hide the loss.
  const { test: sandbox } = deps.backends
  const attemptId = newUuidV7(deps.clock)
  const adopted = await adoptPayment(deps.db, {
    ...{ id: newUuidV7({ nowMs: () => nowMs + DAY_MS }), amount: 100n, currency: 'EUR' },
    ...{ backend: sandbox.name, upstreamAccount: sandbox.accounts[0] },
    origin: {
      ...{ installationId: deps.installation.id, projectId: project.id, mode: 'test', attemptId, scale: 2 },
      ...{ customId: null, data: null, checkoutId: null, createdAt: toDate(nowMs + DAY_MS) },
    },
  })
  assert.ok(adopted)
  nowMs += 60_000
  failOnce(onBackup, 'gate.close')
  await assert.rejects(watch())
  assert.equal((await readRestoreGate(deps.db)).closedAt, null)
  const broken = t.mock.method(deps.db, 'transaction', () => Promise.reject(new Error('connection lost')))
  await assert.rejects(watch())
  broken.mock.restore()
  const closed = await readRestoreGate(deps.db)
  assert.equal(closed.reason, 'upstream_ahead')
  assert.ok(closed.since!.getTime() < nowMs, 'the new payment did not change the time of the loss')
  const countEpochs = () => rows(deps.db, 'select from feed_epochs').then(({ length }) => length)
  assert.equal(await countEpochs(), 1)
  await watch()
  await watch()
  assert.equal(await countEpochs(), 2, 'repeated checks add no second epoch for the same stop')

  // After the gate is opened, the process does not stop payments again, although its last payment is still missing.
  deps.lastWrite.remember(newUuidV7(deps.clock))
  await watch()
  assert.ok(await writeOpen(deps.db, closed.closedAt!))
  await watch()
  assert.equal(deps.restoreGate.isClosed(), false)
  await onBackup.stop()
})

test('payments stay stopped while a charge has no metadata or a step of the reconciliation fails', async (t) => {
  const { backup, pages, atBank } = await makeBackupAndPayments(2, 0)
  const onBackup = await start(backup, { RESTORED_FROM: 'a' })
  const { deps } = onBackup
  await applyRestoredFrom(deps)
  const lists = deps.backends.live.lists!
  const name = lists.sessions ? 'sessions' : 'payments'
  const list = lists[name]!
  // This list leaves out the open payment, as if that payment was created before the period that is read.
  const listWithoutOpen: typeof list = async (options) => {
    const page = await list(options)
    return { ...page, items: page.items.filter(({ id }) => id !== atBank) }
  }
  const listWithoutMetadata: typeof list = async (options) => {
    const page = await listWithoutOpen(options)
    // There are more charges of other systems than one check reads.
    const others = Array.from({ length: BOOKS_CHECK_ITEMS_MAX + 1 }, () => ({
      ...page.items[0]!,
      id: 'other',
    }))
    return { ...page, items: [...page.items.map((item) => ({ ...item, origin: null })), ...others] }
  }
  const find = t.mock.method(deps.backends.live, 'find', () => Promise.reject(new Error('no response')))
  Object.assign(lists, { [name]: listWithoutMetadata })
  assert.equal((await reconcile(onBackup)).gate, 'failed', 'an open payment was not looked up')
  find.mock.restore()
  assert.equal((await reconcile(onBackup)).gate, 'unmarked')
  Object.assign(lists, { [name]: listWithoutOpen })
  await rows(deps.db, "delete from incidents where kind = 'orphan_charge'")
  failOnce(onBackup, 'payments.adopt')
  const failing = await reconcile(onBackup)
  assert.equal(failing.gate, 'failed')
  const { failed, orphan, duplicate } = failing.upstreams[0]!.payments
  assert.deepEqual({ failed, orphan, duplicate }, { failed: 1, orphan: 0, duplicate: 0 })
  assert.deepEqual(await rows(deps.db, "select from incidents where kind = 'orphan_charge'"), [])
  assert.equal((await reconcile(onBackup)).gate, 'opened')
  const paid = await rows<{ id: string }>(deps.db, "select id from transactions where state = 'succeeded'")
  for (const { transactionId } of pages) assert.ok(paid.some(({ id }) => id === transactionId))
  await onBackup.stop()
})
