import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addPayProject } from '../../test/payer.ts'
import { startPayments } from '../../test/payments.ts'
import { makeRefundToken, payFor, reserveRefund } from '../../test/refunds.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { useApiToken } from '../accounts/api-tokens-store.ts'
import type { Caller } from '../accounts/sessions.ts'
import { toTokenHash } from '../accounts/token-hash.ts'
import type { NewRefund } from '../backends/backend.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { requestRefund } from './request-refund.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

const sent: NewRefund[] = []
const { refunds, ...sandbox } = deps.backends.live
const refund = async (one: NewRefund) => {
  sent.push(one)
  return refunds!.refund(one)
}
deps.backends = { ...deps.backends, live: { ...sandbox, refunds: { ...refunds!, refund } } }

async function callerOf(project: string): Promise<Caller> {
  const account = (await findAccountByEmail(db, `owner-${await findOwnerId(db, project)}@example.com`))!
  return { account, sessionId: 'session', token: null, stepUpUntil: null, ip: '', userAgent: '' }
}
const owner = await callerOf(projectId)

interface Request {
  transactionId: string
  amount?: string
  idempotencyKey?: string
}

/** `meanwhile` runs between the first check and the reservation. */
const request = (
  fields: Request,
  meanwhile: () => Promise<unknown> = async () => undefined,
  caller = owner,
) =>
  requestRefund(
    {
      ...deps,
      failpoint: async (name) => {
        if (name === 'R0') await meanwhile()
      },
    },
    caller,
    { projectId, idempotencyKey: randomUUID(), ...fields },
    () => undefined,
  )

const countRefunds = async (id: string) =>
  (await rows(db, 'select from refunds where transaction_id = $1', [id])).length

test('two requests with the same key at the same time make one refund, which is sent once; with different amounts, one request is a conflict', async () => {
  const { id: transactionId } = await payFor(deps, projectId)
  const sameRequest = { transactionId, amount: '100', idempotencyKey: randomUUID() }
  const sentBefore = sent.length
  const second = await request(sameRequest, () => request(sameRequest))
  assert.equal(second.isNew, false)
  assert.deepEqual([await countRefunds(transactionId), sent.length - sentBefore], [1, 1])
  const withOtherKey = { ...sameRequest, idempotencyKey: randomUUID() }
  await assert.rejects(
    request(withOtherKey, () => request({ ...withOtherKey, amount: '50' })),
    { code: 'idempotency_conflict' },
  )
})

test('an amount that another refund reserves after the first check cannot be refunded again', async () => {
  const payment = await payFor(deps, projectId)
  const all = { transactionId: payment.id, amount: '1500' }
  await assert.rejects(
    request(all, () => reserveRefund(deps, payment, 1n)),
    { code: 'refund_exceeds' },
  )
  assert.equal(await countRefunds(payment.id), 1)
})

test('a refund is not reserved if the restore gate closes after the first check', async () => {
  const { id: transactionId } = await payFor(deps, projectId)
  const close = () => writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  await assert.rejects(request({ transactionId }, close), GateClosedError)
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
  assert.equal(await countRefunds(transactionId), 0)
})

test('a member who is removed or gets another role after the first check cannot refund', async () => {
  const member = await callerOf((await addPayProject(deps)).id)
  await rows(
    db,
    `insert into project_members (project_id, account_id, role, mails) values ($1, $2, 'finance', '{}')`,
    [projectId, member.account.id],
  )
  const { id: transactionId } = await payFor(deps, projectId)
  const remove = () => rows(db, 'delete from project_members where account_id = $1', [member.account.id])
  const setRole = () =>
    rows(db, `update project_members set role = 'support' where account_id = $1`, [member.account.id])
  await assert.rejects(request({ transactionId }, setRole, member), { code: 'forbidden_role' })
  await rows(db, `update project_members set role = 'finance' where account_id = $1`, [member.account.id])
  await assert.rejects(request({ transactionId }, remove, member), { code: 'not_found' })
  assert.equal(await countRefunds(transactionId), 0)
})

for (const [caseName, change] of [
  ['was revoked', 'revoked_at = now()'],
  ['was suspended by a restore', 'suspended_at = now()'],
  ['has expired', `created_at = now() - interval '2 days', expires_at = now()`],
] as const)
  test(`a token that ${caseName} after the first check cannot refund`, async () => {
    const { id: transactionId } = await payFor(deps, projectId)
    const hash = toTokenHash(await makeRefundToken(deps, projectId))
    const caller: Caller = { ...owner, sessionId: null, token: await useApiToken(db, hash) }
    const end = () => rows(db, `update api_tokens set ${change} where token_hash = $1`, [hash])
    await request({ transactionId, amount: '100' }, undefined, caller)
    const sentBefore = sent.length
    await assert.rejects(request({ transactionId, amount: '100' }, end, caller), { code: 'unauthenticated' })
    assert.deepEqual([await countRefunds(transactionId), sent.length], [1, sentBefore])
  })

test('a refund is refused, and nothing is reserved, if the upstream offers no refunds', async () => {
  const { id: transactionId } = await payFor(deps, projectId)
  const live = {
    ...deps.backends.live,
    refunds: { ...deps.backends.live.refunds!, isOffered: async () => false },
  }
  const withoutRefunds = { ...deps, backends: { ...deps.backends, live } }
  const body = { projectId, transactionId, idempotencyKey: randomUUID() }
  await assert.rejects(
    requestRefund(withoutRefunds, owner, body, () => undefined),
    { code: 'not_refundable' },
  )
  assert.equal(await countRefunds(transactionId), 0)
})

test('the audit log names the person who requested a refund, and the request to the upstream names the installation and says that the refund came from the portal', async () => {
  const { id: transactionId } = await payFor(deps, projectId)
  const { refund: made } = await request({ transactionId, amount: '100' })
  const { origin } = sent.at(-1)!
  assert.deepEqual([origin?.installationId, origin?.requestedBy], [deps.installation.id, 'portal'])
  const audit = await rows(
    db,
    `select account_id, project_id, changes->>'transactionId' as payment, changes->>'refundId' as refund, changes->>'amount' as amount
     from audit_events where action = 'refund_requested' order by id desc limit 1`,
  )
  assert.deepEqual(audit, [
    {
      account_id: owner.account.id,
      project_id: projectId,
      payment: transactionId,
      refund: `re_${made.id.replaceAll('-', '')}`,
      amount: '100',
    },
  ])
})

/** Requests a refund, and pauses this process just before the refund is sent to the upstream. */
async function requestPaused(refundDeps: typeof deps, pauseMs: number) {
  const { id: transactionId } = await payFor(deps, projectId)
  const sentBefore = sent.length
  let pausedMs = 0
  const paused = {
    ...refundDeps,
    clock: { ...deps.clock, nowMs: () => deps.clock.nowMs() + pausedMs },
    failpoint: async (name: string) => {
      if (name === 'R1') pausedMs = pauseMs
    },
  }
  const body = { projectId, idempotencyKey: randomUUID(), transactionId, amount: '100' }
  const { refund: requested } = await requestRefund(paused, owner, body, () => undefined)
  return { requested, sentCount: sent.length - sentBefore }
}

/**
 * Returns dependencies whose upstream has this `resendMs`, the age up to which a refund may be sent. Undefined: the default
 * of 20 hours applies.
 */
function withResendMs(resendMs: number | undefined): typeof deps {
  const { live } = deps.backends
  const { resendMs: _, ...other } = live.refunds!
  const changed = resendMs === undefined ? other : { ...other, resendMs }
  return { ...deps, backends: { ...deps.backends, live: { ...live, refunds: changed } } }
}

const HOUR_MS = 3_600_000
for (const [name, resendMs, pauseMs] of [
  ['a day (the default limit is 20 hours)', undefined, 25 * HOUR_MS],
  ['a minute (the limit of the upstream is 30 seconds)', 30_000, 60_000],
] as const)
  test(`after a pause of ${name}, a process does not send its refund, and the refund is looked up later`, async () => {
    const { requested, sentCount } = await requestPaused(withResendMs(resendMs), pauseMs)
    assert.deepEqual([requested.state, sentCount], ['processing', 0])
    const text = 'select from refunds where id = $1 and next_check_at is not null'
    assert.equal((await rows(db, text, [requested.id])).length, 1)
  })

test('after a pause of a day, a process sends its refund if the limit of the upstream is two days', async () => {
  const { requested, sentCount } = await requestPaused(withResendMs(48 * HOUR_MS), 25 * HOUR_MS)
  assert.deepEqual([requested.state, sentCount], ['succeeded', 1])
})
