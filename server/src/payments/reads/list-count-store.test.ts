import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionFilters } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { addPayProject } from '../../../test/payer.ts'
import { newOrder, resolveOpenPayments, startPayments } from '../../../test/payments.ts'
import { insertManyPayments, insertPayments } from '../../../test/transactions.ts'
import { confirmPayment } from '../confirm.ts'
import { readStoredTotal } from './list-count-store.ts'
import { toListFilter } from './list-filter.ts'
import { planList } from './list.ts'

const payments = await startPayments()
const { deps } = payments
/** The last two tests share its payments. */
const { id: projectWithMany } = await addPayProject(deps)

const STATES = ['processing', 'requires_action', 'succeeded', 'failed', 'expired', undefined] as const

async function assertTotalsAreTrue(projectId: string): Promise<void> {
  for (const mode of ['live', 'test', undefined] as const) {
    for (const state of STATES) {
      const filters: TransactionFilters = { mode, state }
      const [counted] = await rows<{ total: number }>(
        deps.db,
        `select count(*)::int as total from transactions where project_id = $1
           and mode = coalesce($2, mode) and state = coalesce($3, state)`,
        [projectId, mode, state],
      )
      const stored = await readStoredTotal(deps.db, toListFilter([projectId], filters))
      assert.equal(stored, counted!.total, `${mode} ${state}`)
    }
  }
}

test('totals are exact after two replicas have processed payments with different outcomes at the same time', async () => {
  const { id: project } = await addPayProject(deps)
  const replicas = [deps, await payments.replica()]
  // The outcomes: paid (three times), declined, charged without a response, not charged without a response, waiting at
  // the bank.
  const amounts = [1500n, 1500n, 1500n, 4000n, 4002n, 4003n, 4004n]
  await Promise.all(
    Array.from({ length: 84 }, (_, n) => {
      const order = newOrder(project, { amount: amounts[n % 7]!, mode: n % 3 === 0 ? 'test' : 'live' })
      return confirmPayment(replicas[n % 2]!, order)
    }),
  )
  await assertTotalsAreTrue(project)
  await resolveOpenPayments(deps, 2)
  await assertTotalsAreTrue(project)
  const shards = await rows(
    deps.db,
    `select from transaction_counts where project_id = $1 and mode = 'live' and state = 'succeeded'`,
    [project],
  )
  assert.ok(shards.length > 1, 'with only one row, each payment would wait for the previous payment')
})

test('totals include payments that were inserted as ended, but no deleted payments and no rolled back changes', async () => {
  const { id: project } = await addPayProject(deps)
  await insertPayments(deps, project, [{}, { state: 'failed' }, { state: 'processing' }, { mode: 'test' }])
  await assertTotalsAreTrue(project)
  await rows(deps.db, `delete from transactions where project_id = $1 and state = 'failed'`, [project])
  await assertTotalsAreTrue(project)
  const undone = deps.db.transaction(async (tx) => {
    const end = `update transactions set state = 'succeeded', completed_at = now()
      where project_id = $1 and state = 'processing'`
    await rows(tx, end, [project])
    throw new Error('changed its mind')
  })
  await assert.rejects(undone, /changed its mind/)
  await assertTotalsAreTrue(project)
})

test('totals of a project or of one state are always exact; totals with other filters stop at 10,000 and are then inexact', async () => {
  await insertManyPayments(deps, projectWithMany, 10_050)
  const plan = (filters: TransactionFilters) => planList(deps, toListFilter([projectWithMany], filters))
  assert.deepEqual(await plan({}), { by: 'order', total: 10_050, totalExact: true })
  // Every 50th payment has failed, which makes 201.
  assert.deepEqual(await plan({ state: 'succeeded' }), { by: 'order', total: 9_849, totalExact: true })
  const since = '2000-01-01T00:00:00Z'
  assert.deepEqual(await plan({ from: since }), { by: 'order', total: 10_000, totalExact: false })
  assert.deepEqual(await plan({ from: since, state: 'failed' }), {
    by: 'order',
    total: 201,
    totalExact: true,
  })
  assert.deepEqual(await plan({ q: 'order-' }), { by: 'order', total: 10_000, totalExact: false })
  // Matches are order-77, order-770 to order-779, and order-7700 to order-7799.
  assert.deepEqual(await plan({ q: 'order-77' }), { by: 'candidates', total: 111, totalExact: true })
})

test('if exactly 10,000 payments match a filter, the total is reported as exact', async () => {
  const fifty = 'select ctid from transactions where project_id = $1 limit 50'
  await rows(deps.db, `delete from transactions where ctid = any (array(${fifty}))`, [projectWithMany])
  const filter = toListFilter([projectWithMany], { q: 'order-' })
  assert.deepEqual(await planList(deps, filter), { by: 'candidates', total: 10_000, totalExact: true })
})
