import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { addPayProject } from '../../../test/payer.ts'
import { startPayments } from '../../../test/payments.ts'
import { payFor, reserveRefund } from '../../../test/refunds.ts'
import { createPaymentFixtures, newDecision } from '../../../test/resolving.ts'
import { insertPayments } from '../../../test/transactions.ts'
import type { AccountId } from '../../accounts/account.ts'
import { endRefund } from '../../refunds/end-refund.ts'
import { readFirstSteps } from './first-steps-store.ts'
import { readStoredTotal } from './list-count-store.ts'
import { toIdSearch, toListFilter } from './list-filter.ts'
import type { Cursor } from './list-scope-store.ts'
import { findPage } from './list-store.ts'
import { listTransactions, toTransactionView } from './list.ts'
import { resolvePayment } from '../resolution/resolve.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

test('the first steps depend only on the project’s own payments, and a queued callback does not count as delivered', async () => {
  const [own, other] = [(await addPayProject(deps)).id, (await addPayProject(deps)).id] as const
  const noSteps = { payment: false, live: false, callback: false, signature: false }
  const { id } = await payFor(deps, own, { mode: 'test' })
  assert.deepEqual(await readFirstSteps(db, own), { ...noSteps, payment: true })
  await changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where transaction_id = $1`,
    [id],
  )
  assert.deepEqual(await readFirstSteps(db, own), { ...noSteps, payment: true, callback: true })
  await payFor(deps, own)
  assert.deepEqual(await readFirstSteps(db, own), { ...noSteps, payment: true, callback: true, live: true })
  assert.deepEqual(await readFirstSteps(db, other), noSteps)
})

test('totals count open and ended payments of the requested mode and state', async () => {
  const { id: project } = await addPayProject(deps)
  await insertPayments(deps, project, [
    { mode: 'live' },
    { mode: 'live', state: 'processing' },
    { mode: 'live', state: 'failed' },
    { mode: 'test' },
    { mode: 'test', state: 'processing' },
  ])
  const total = (filters: Parameters<typeof toListFilter>[1]) =>
    readStoredTotal(db, toListFilter([project], filters))
  const totals = [
    await total({}),
    await total({ mode: 'live' }),
    await total({ mode: 'test' }),
    await total({ mode: 'test', state: 'processing' }),
    await total({ mode: 'live', state: 'succeeded' }),
  ]
  assert.deepEqual(totals, [5, 3, 2, 1, 1])
})

test('the parts of a CSV file have each payment once, even if several payments began at the same moment', async () => {
  const { id: project } = await addPayProject(deps)
  const createdAt = '2026-11-10T10:00:00.123456Z'
  const ids = await insertPayments(deps, project, [{ createdAt }, { createdAt }, { createdAt }])
  for (const order of ['newest', 'oldest'] as const) {
    const filter = toListFilter([project], { order })
    const found: string[] = []
    for (let after: Cursor | null = null; found.length <= ids.length;) {
      const [next] = await findPage(db, filter, { by: 'order', after, offset: 0, limit: 1 })
      if (!next) break
      found.push(next.id)
      after = next.cursor
    }
    assert.deepEqual(found, order === 'oldest' ? ids.toSorted() : ids.toSorted().toReversed())
  }
})

test('a listed payment shows whether it counts as paid, and the callback of its newest result, not the callback of a refund', async () => {
  await rows(db, `update projects set events = '{payment.result,refund.result}' where id = $1`, [projectId])
  const read = async (id: string) => {
    const filter = { ...toListFilter([projectId], {}), search: toIdSearch(id) }
    const [payment] = await findPage(db, filter, { by: 'candidates', after: null, offset: 0, limit: 1 })
    return payment!
  }
  const paid = await payFor(deps, projectId)
  const resultId = (await read(paid.id)).callback?.id
  const end = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
  await endRefund(deps, await reserveRefund(deps, paid, 100n), end)
  assert.equal((await rows(db, 'select from callback_states where transaction_id = $1', [paid.id])).length, 2)
  assert.equal((await read(paid.id)).callback?.id, resultId)

  const chargedLate = await createPaymentFixtures(deps, projectId).makeLateCharge()
  const resolved = await resolvePayment(deps, chargedLate.id, newDecision('paid'))
  const listed = await read(chargedLate.id)
  assert.equal(listed.callback?.id, resolved.kind === 'resolved' ? resolved.callbackId : null)
  const view = toTransactionView(listed, deps.installation)
  assert.deepEqual([view.state, view.successful], ['failed', true])
})

test('somebody without projects gets an empty list', async () => {
  const [account] = await rows<{ id: AccountId }>(
    db,
    `insert into accounts (id, email, email_key, password_hash, locale) values (gen_random_uuid(), 'n@example.com', 'n@example.com', 'x', 'en') returning id`,
  )
  const page = await listTransactions(deps, account!.id, { page: 1, limit: 10 })
  assert.deepEqual(page, { items: [], page: 1, limit: 10, total: 0, totalExact: true, hasMore: false })
})
