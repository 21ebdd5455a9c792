import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { listUsedAccounts, registerAccount } from '../backends/accounts-store.ts'
import { newUuidV7 } from '../lib/id.ts'
import { closeAsResolved, closeIncidentsOf } from './incidents-store.ts'
import { closeIncident, raiseIncident } from './incidents.ts'
import { listUnreachable, PRESENT_AGAIN } from './missing-upstreams-store.ts'
import { findMissingSetting, reportMissingUpstreams } from './missing-upstreams.ts'
import { openPayment } from './payments-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

async function addOpen(count: number, backend: string, account: string | null): Promise<string[]> {
  const opened = Array.from({ length: count }, () =>
    openPayment(db, newUuidV7(deps.clock), newOrder(projectId), backend, account),
  )
  return (await Promise.all(opened)).map((payment) => payment!.id)
}

const findUnreachable = async (configured: { backend: string; account: string | null }[]) =>
  (await listUnreachable(db, configured, 1000)).map(({ id }) => id).toSorted()

const incidentOf = async (subject: string) =>
  (
    await rows<{ id: number; closed_at: Date | null }>(db, 'select * from incidents where subject = $1', [
      subject,
    ])
  )[0]

test('an open payment counts as unreachable unless its own upstream and account are configured', async () => {
  const [id] = await addOpen(1, 'http', 'first')
  assert.deepEqual(await findUnreachable([{ backend: 'http', account: 'first' }]), [])
  for (const other of [
    { backend: 'stripe', account: 'first' },
    { backend: 'http', account: 'second' },
    { backend: 'http', account: null },
  ])
    assert.deepEqual(await findUnreachable([other]), [id], JSON.stringify(other))
  await rows(db, 'delete from transactions where id = $1', [id])
})

test('a missing upstream is reported again if it was configured in between, but not if an operator closed the incident', async () => {
  const [id] = await addOpen(1, 'http', 'gone')
  await reportMissingUpstreams(deps)
  assert.deepEqual(await findUnreachable([]), [])
  const { id: incidentId } = (await incidentOf(id!))!
  await closeIncident(deps, incidentId)
  assert.deepEqual(await findUnreachable([]), [])
  await rows(db, 'update incidents set closed_at = null where id = $1', [incidentId])
  await closeAsResolved(db, [incidentId], { setting: PRESENT_AGAIN })
  assert.deepEqual(await findUnreachable([]), [id])
  await rows(db, 'delete from incidents where transaction_id = $1', [id])
  await rows(db, 'delete from transactions where id = $1', [id])
})

test('one check for missing upstreams raises incidents for at most a hundred payments, and returns true if there may be more', async () => {
  const ids = await addOpen(101, 'http', 'gone')
  assert.equal(await reportMissingUpstreams(deps), true)
  assert.equal((await findUnreachable([])).length, 1)
  assert.equal(await reportMissingUpstreams(deps), false)
  assert.equal((await findUnreachable([])).length, 0)
  // Once the upstream is configured again, one check also closes at most a hundred incidents.
  const { name, accounts } = deps.backends.live
  await rows(
    db,
    `update incidents set facts = facts || jsonb_build_object('backend', $2::text, 'account', $3::text)
     where subject = any($1)`,
    [ids, name, accounts[0]],
  )
  await rows(
    db,
    `update transactions set state = 'failed', failure_code = 'declined', completed_at = now(), next_check_at = null
     where id = any($1::uuid[])`,
    [ids],
  )
  assert.equal(await reportMissingUpstreams(deps), true)
  assert.equal(await reportMissingUpstreams(deps), false)
  for (const id of ids) assert.notEqual((await incidentOf(id))!.closed_at, null)
})

test('an upstream account counts as used for 180 days after its last payment', async () => {
  for (const [account, days] of [
    ['recent', 179],
    ['old', 181],
  ] as const) {
    await registerAccount(db, 'http', account)
    const age = `update upstream_accounts set last_used_at = now() - make_interval(days => $2) where stored_as = $1`
    await rows(db, age, [account, days])
  }
  await reportMissingUpstreams(deps)
  assert.equal((await incidentOf('http recent'))?.closed_at, null)
  assert.equal(await incidentOf('http old'), undefined)
  assert.deepEqual(
    (await listUsedAccounts(db, 180))
      .filter(({ backend }) => backend === 'http')
      .map(({ account }) => account),
    ['recent'],
  )
})

test('a closed incident keeps the time at which it was closed', async () => {
  const [id] = await addOpen(1, 'sandbox', null)
  const kinds = ['mismatch', 'unresolved'] as const
  for (const kind of kinds) await raiseIncident(deps, { kind, transactionId: id!, subject: id!, facts: {} })
  const list = await rows<{ id: number }>(db, 'select id from incidents where subject = $1 order by id', [id])
  await closeIncident(deps, list[0]!.id)
  const longAgo = new Date('2026-01-01T00:00:00Z')
  await rows(db, 'update incidents set closed_at = $2 where id = $1', [list[0]!.id, longAgo])
  const closedAt = async () =>
    (await rows<{ at: Date }>(db, 'select closed_at as at from incidents where id = $1', [list[0]!.id]))[0]!
      .at
  await closeIncident(deps, list[0]!.id)
  assert.deepEqual(await closedAt(), longAgo)
  await closeAsResolved(
    db,
    list.map((one) => one.id),
    {},
  )
  assert.deepEqual(await closedAt(), longAgo)
  await db.transaction((tx) => closeIncidentsOf(tx, id!))
  assert.deepEqual(await closedAt(), longAgo)
})

test('the incident of a missing upstream names the settings to restore, for the whole upstream or only for its account', async () => {
  const { live, test: sandbox } = deps.backends
  const none = { live, test: sandbox, previous: [] }
  const settingOf = (name: 'http' | 'stripe') => [
    findMissingSetting(none, name),
    findMissingSetting({ ...none, previous: [{ ...live, name }] }, name),
  ]
  assert.deepEqual(settingOf('http'), [
    'BACKENDS_KEPT=http, BACKEND_URL, BACKEND_SECRET',
    'BACKEND_URL or BACKEND_ACCOUNT',
  ])
  assert.deepEqual(settingOf('stripe'), [
    'BACKENDS_KEPT=stripe, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET',
    'STRIPE_SECRET_KEY or STRIPE_ACCOUNT',
  ])
  assert.equal(findMissingSetting(none, 'former'), 'BACKENDS_KEPT')
})
