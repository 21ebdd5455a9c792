// The gate stops payments, refunds and callbacks after a restore from a backup.
// Why this is long: closing and opening the gate need the same setup.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { ListingUpstream } from '../../test/listing-upstream.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { newOrder, requirePayment, startPayments, recordStatements } from '../../test/payments.ts'
import { makeRefundToken, payFor, reserveRefund } from '../../test/refunds.ts'
import { findFactorReset } from '../accounts/factor-resets-store.ts'
import { applyFactorResets } from '../accounts/factors/reset-factors.ts'
import { findInvitation } from '../accounts/invitations-store.ts'
import { findMailLink } from '../accounts/mail-links-store.ts'
import { insertSession } from '../accounts/sessions-store.ts'
import type { DisputeReport, RefundReport } from '../backends/backend.ts'
import { readRestoreGate, writeClosed } from '../db/gate-store.ts'
import { findRestart, readHead } from '../feed/feed-store.ts'
import { publishAll } from '../feed/publish.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { openPayment } from '../payments/payments-store.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { prepareSecret, promoteSecret } from '../secrets/next-secret.ts'
import { findNextSecret } from '../secrets/next-secrets-store.ts'
import { applyRestoredFrom, closeGate, findKnownUntil, finishClosing, openGate } from './close-gate.ts'
import type { ReconcileOptions } from './reconcile-since.ts'
import { reconcileSince } from './reconcile-since.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const ownerId = (await findOwnerId(db, projectId))!
await rows(db, 'update accounts set email_confirmed_at = now()')
const MINUTE_MS = 60_000

let live: ListingUpstream
let kept: ListingUpstream

beforeEach(async () => {
  await rows(
    db,
    'truncate transactions, incidents, callbacks, sessions, api_tokens, mails, factor_resets cascade',
  )
  await rows(
    db,
    `update installation set gate_closed_at = null, gate_reason = null, gate_since = null, restored_at = null, restores = '{}'`,
  )
  await deps.restoreGate.refresh()
  live = createListingUpstream(deps, 'http')
  kept = createListingUpstream(deps, 'stripe')
  deps.backends = { ...deps.backends, live: live.backend, previous: [kept.backend] }
})

async function signInEverybody(): Promise<void> {
  await makeRefundToken(deps, projectId)
  await db.transaction((tx) =>
    insertSession(tx, {
      id: newUuidV7(deps.clock),
      accountId: ownerId,
      tokenHash: randomBytes(32),
      client: { ip: '127.0.0.1', userAgent: 'test' },
    }),
  )
}

async function readTrail() {
  const [trail] = await rows(
    db,
    `select (select count(*) from sessions)::int as sessions, (select count(*) from feed_epochs)::int as epochs,
       (select count(*) from api_tokens where suspended_at is null)::int as tokens,
       (select count(*) from mails where kind = 'restored')::int as mails,
       (select count(*) from incidents where kind = 'restored' and closed_at is null)::int as incidents`,
  )
  return trail as Record<'sessions' | 'epochs' | 'tokens' | 'mails' | 'incidents', number>
}

const reconcile = (options: Partial<ReconcileOptions> = {}, own = deps) =>
  reconcileSince(own, {
    since: toDate(0),
    isDry: false,
    acceptUnlisted: false,
    acceptFailed: false,
    onProgress: () => undefined,
    ...options,
  })
const close = () => closeGate(deps, { reason: 'upstream_ahead', since: toDate(1_000_000) })

test('closing the gate signs everybody out, suspends tokens, expires cursors and mails owners once', async () => {
  await signInEverybody()
  const { epochs } = await readTrail()
  await close()
  const expected = { sessions: 0, tokens: 0, epochs: epochs + 1, mails: 1, incidents: 1 }
  assert.deepEqual([await readTrail(), deps.restoreGate.isClosed()], [expected, true])
  await signInEverybody()
  await close()
  await finishClosing(deps)
  assert.deepEqual(
    await readTrail(),
    { ...expected, sessions: 1, tokens: 1 },
    'sessions and tokens that were created after the first closing still work',
  )
})

test('after the gate has closed, cursors restart at the last event before `since`', async () => {
  const publishPayment = async () => {
    await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'http', 'account of http')
    await publishAll(deps, projectId)
  }
  await publishPayment()
  await rows(db, "update feed_events set at = at - interval '1 hour'")
  const { epoch, position } = await readHead(db, projectId)
  await publishPayment()
  await closeGate(deps, { reason: 'upstream_ahead', since: toDate(deps.clock.nowMs() - 30 * MINUTE_MS) })
  assert.equal(await findRestart(db, projectId, epoch), position)
  assert.ok(position > 0n && position < (await readHead(db, projectId)).position)
})

test('closing the gate ends every requested removal of second factors', async () => {
  await rows(db, 'insert into factor_resets (account_id, due_at) values ($1, now())', [ownerId])
  await close()
  assert.deepEqual([await applyFactorResets(deps), await findFactorReset(db, ownerId)], [0, null])
})

test('closing the gate discards every prepared secret, because a restore brings back secrets that were already discarded', async () => {
  await db.transaction((tx) => prepareSecret(deps, tx, projectId, ownerId))
  assert.notEqual(await findNextSecret(db, projectId), null)
  await close()
  assert.equal(await findNextSecret(db, projectId), null)
  assert.equal(await db.transaction((tx) => promoteSecret(deps, tx, projectId)), null)
})

test('closing the gate ends invitations and mailed links for a new address or password, but not links that confirm an address', async () => {
  const purposes = ['change_email', 'reset_password', 'confirm_email'] as const
  const hash = (text: string) => createHash('sha256').update(text).digest()
  for (const purpose of purposes)
    await rows(
      db,
      `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at)
       values ($1, $2, $3, 'x', now() + interval '1 hour')`,
      [hash(purpose), ownerId, purpose],
    )
  await rows(
    db,
    `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
     values (gen_random_uuid(), $1, $2, $3, 'x', 'x', 'admin', now() + interval '1 day')`,
    [hash('invitation'), projectId, ownerId],
  )
  const usable = async () => [
    ...(await Promise.all(purposes.map(async (one) => (await findMailLink(db, hash(one), [one])) !== null))),
    (await findInvitation(db, hash('invitation'))) !== null,
  ]
  assert.deepEqual(await usable(), [true, true, true, true])
  await close()
  assert.deepEqual(await usable(), [false, false, true, false])
})

test('when two processes finish the same closing at the same time, each of its steps is done once', async () => {
  const { epochs } = await readTrail()
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: 'a' })
  let releaseBoth: () => void = () => undefined
  const bothHaveRead = new Promise<void>((resolve) => (releaseBoth = resolve))
  let waiting = 0
  // Neither process continues before both have read that no step was done yet.
  const { deps: slow } = recordStatements(deps, async (name, run) => {
    if (name !== 'gate.lock') return run()
    waiting += 1
    if (waiting === 2) releaseBoth()
    await bothHaveRead
    return run()
  })
  await Promise.all([finishClosing(slow), finishClosing(slow)])
  const { epochs: epochsAfter, mails } = await readTrail()
  assert.deepEqual([epochsAfter, mails], [epochs + 1, 1])
})

test('opening the gate first finishes an interrupted closing, and then closes the incident', async () => {
  await signInEverybody()
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: 'a' })
  await deps.restoreGate.refresh()
  const { closedAt } = await readRestoreGate(db)
  assert.equal(await openGate(deps, toDate(closedAt!.getTime() - 1)), false)
  assert.equal(deps.restoreGate.isClosed(), true)
  assert.equal(await openGate(deps, closedAt!), true)
  const { sessions, tokens, mails, incidents } = await readTrail()
  assert.deepEqual({ sessions, tokens, mails, incidents }, { sessions: 0, tokens: 0, mails: 1, incidents: 0 })
  assert.equal(deps.restoreGate.isClosed(), false)
})

test('each value of RESTORED_FROM closes the gate once, and the process forgets which payment it stored last', async () => {
  const restored = { ...deps, config: { ...deps.config, restoredFrom: 'nightly' } }
  deps.lastWrite.remember(newUuidV7(deps.clock))
  await applyRestoredFrom(restored)
  assert.deepEqual([deps.restoreGate.isClosed(), deps.lastWrite.find()], [true, null])
  await openGate(deps, (await readRestoreGate(db)).closedAt!)
  await applyRestoredFrom(restored)
  assert.equal(deps.restoreGate.isClosed(), false)
  await applyRestoredFrom({ ...restored, config: { ...deps.config, restoredFrom: 'another' } })
  assert.equal(deps.restoreGate.isClosed(), true)
})

test('our records count as complete until ten minutes before our newest payment or refund; if we have neither, until ten minutes before our first start', async () => {
  const [first] = await rows<{ at: Date }>(db, 'select min(applied_at) as at from schema_migrations')
  assert.equal((await findKnownUntil(deps)).getTime(), first!.at.getTime() - 10 * MINUTE_MS)
  deps.backends.live = deps.backends.test
  const paid = await payFor(deps, projectId)
  const { createdAt } = await payFor(deps, projectId, { mode: 'test' })
  const findNewestMs = async () => (await findKnownUntil(deps)).getTime() + 10 * MINUTE_MS
  assert.equal(await findNewestMs(), createdAt.getTime())
  const refund = await reserveRefund(deps, paid, 100n)
  await rows(db, `update refunds set created_at = now() + interval '1 hour' where id = $1`, [refund.id])
  assert.ok((await findNewestMs()) > paid.createdAt.getTime() + 50 * MINUTE_MS)
})

const entryOf = (paymentId: string) => ({
  ...{ paymentId, chargeId: null, amount: 100n, currency: 'EUR', upstreamRef: `ref_${paymentId}` },
  ...{ createdAt: null, scale: 2 },
})
const toRefund = (paymentId: string): RefundReport & { createdAt: null; scale: number } => ({
  ...entryOf(paymentId),
  ...{ id: null, status: 'succeeded', pendingReason: null, failureCode: null },
})
const toDispute = (paymentId: string): DisputeReport & { createdAt: null; scale: number } => ({
  ...entryOf(paymentId),
  ...{ status: 'open', reason: null, respondBy: null },
})

test('the gate opens after the entries of every upstream were stored, but not after a dry run', async () => {
  await close()
  for (const upstream of [live, kept]) {
    const item = toListedPayment(deps, projectId)
    upstream.payments.push(item)
    upstream.refunds.push(toRefund(item.id))
    upstream.disputes.push(toDispute(item.id))
  }
  const dry = await reconcile({ isDry: true })
  assert.deepEqual([dry.gate, dry.upstreams.map(({ payments }) => payments.adopted)], ['kept_closed', [1, 1]])
  assert.deepEqual(await rows(db, 'select from transactions'), [])
  assert.deepEqual(await rows(db, `select from incidents where kind = 'orphan_charge'`), [])
  assert.equal((await reconcile()).gate, 'opened')
  const stored = await rows(db, `select backend, refunded, disputed from transactions order by backend`)
  assert.deepEqual(stored, [
    { backend: 'http', refunded: 100n, disputed: 100n },
    { backend: 'stripe', refunded: 100n, disputed: 100n },
  ])
  assert.equal((await reconcile()).gate, 'was_open')
})

test('the gate stays closed while a list is missing, starts too late or has charges without our metadata', async () => {
  await close()
  kept.isListing = false
  assert.equal((await reconcile()).gate, 'unlisted')
  kept.isListing = true
  // The gate was closed with an earlier `since`.
  assert.equal((await reconcile({ since: toDate(2_000_000) })).gate, 'since_too_late')
  kept.payments.push({ ...toListedPayment(deps, projectId), origin: null })
  assert.equal((await reconcile()).gate, 'unmarked')
  kept.isListing = false
  assert.equal((await reconcile({ acceptUnlisted: true })).gate, 'opened')
})

for (const [caseName, name] of [
  ['payment', 'payments.adopt'],
  ['refund', 'refunds.insert'],
  ['dispute', 'disputes.insert'],
] as const) {
  test(`the gate stays closed while a ${caseName} cannot be stored, unless the operator accepts that`, async () => {
    await close()
    const item = toListedPayment(deps, projectId)
    live.payments.push(item)
    if (caseName === 'refund') live.refunds.push(toRefund(item.id))
    if (caseName === 'dispute') live.disputes.push(toDispute(item.id))
    const broken = recordStatements(deps, (statement, run) =>
      statement === name ? Promise.reject(new Error('disk full')) : run(),
    )
    const listOrphans = () => rows(db, `select from incidents where kind = 'orphan_charge'`)
    assert.equal((await reconcile({}, broken.deps)).gate, 'failed')
    assert.deepEqual(await listOrphans(), [])
    const accepted = await reconcile({ acceptFailed: true }, broken.deps)
    assert.deepEqual([accepted.gate, accepted.upstreams[0]![`${caseName}s`].failed], ['opened', 1])
    assert.equal((await listOrphans()).length, 1)
  })
}

test('a refund that names an unknown payment raises an incident, and a refund that names no payment does not', async () => {
  await close()
  live.refunds.push(toRefund(newUuidV7(deps.clock)))
  live.refunds.push({ ...toRefund(newUuidV7(deps.clock)), paymentId: null })
  assert.equal((await reconcile()).gate, 'opened')
  assert.equal((await rows(db, `select from incidents where kind = 'orphan_charge'`)).length, 1)
})

test('the gate stays closed if it was closed again while the upstreams were read', async () => {
  await close()
  const { lists } = live.backend
  const read = lists!.payments
  lists!.payments = async (options) => {
    await rows(db, `update installation set gate_closed_at = gate_closed_at + interval '1 second'`)
    return read(options)
  }
  assert.equal((await reconcile()).gate, 'kept_closed')
})

test('if the upstream does not know an open payment, reconcile cancels the payment there while the gate is closed, and only looks it up while the gate is open', async () => {
  const open = async () =>
    (await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'http', 'account of http'))!.id
  const charged = await open()
  live.payments.push(toListedPayment(deps, projectId, { id: charged }))
  const unknownThere = await open()
  const ofOtherUpstream = (await openPayment(
    db,
    newUuidV7(deps.clock),
    newOrder(projectId),
    'sandbox',
    'sandbox',
  ))!
  const { upstreams } = await reconcile()
  assert.equal(upstreams[0]!.payments.updated, 1)
  assert.deepEqual(live.calls, [`find ${charged}`, `find ${unknownThere}`])
  assert.equal((await requirePayment(db, charged)).state, 'succeeded')
  await close()
  live.backend.cancel = async (id) => toListedPayment(deps, projectId, { id, status: 'cancelled' })
  await reconcile()
  const states = [await requirePayment(db, unknownThere), await requirePayment(db, ofOtherUpstream.id)]
  assert.deepEqual(
    states.map(({ state }) => state),
    ['failed', 'processing'],
  )
})
