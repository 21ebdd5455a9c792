import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { startPayments } from '../../../test/payments.ts'
import { insertManyPayments } from '../../../test/transactions.ts'
import { findTransactionIdsOf } from '../../callbacks/outbox-store.ts'
import type { Queryable } from '../../db/pool.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { findPayments } from './find-store.ts'
import { toSearch } from './list-filter.ts'

const { deps, projectId } = await startPayments()

async function explain(read: (db: Queryable) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  await read({
    async query(what, values) {
      const text = `explain ${what.text}`
      const lines = await deps.db.query<{ 'QUERY PLAN': string }>({ name: `${what.name}.plan`, text }, values)
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
      return []
    },
  })
  return plans.join('\n')
}

test('every way to find a payment uses an index', async () => {
  await insertManyPayments(deps, projectId, 3_000)
  await rows(deps.db, 'vacuum analyze transactions')
  const id = newUuidV7(deps.clock)
  const plan = await explain((db) =>
    findPayments(db, toSearch('00000-00000'), id, [id], [Buffer.from('x')], [projectId]),
  )
  const scans = plan
    .split('\n')
    .flatMap((line, at, all) => (/Scan .*on transactions/.test(line) ? [[line, all[at + 1]!]] : []))
  assert.ok(scans.length >= 6, plan)
  for (const [scan, condition] of scans)
    assert.match(condition!, /Index Cond|Recheck Cond/, `${scan}\n${plan}`)
  for (const index of ['by_reference', 'by_upstream_ref', 'by_custom_id', 'by_data'])
    assert.ok(plan.includes(`transactions_${index}`), `${index} is not used:\n${plan}`)
  const callbacks = await explain((db) => findTransactionIdsOf(db, `msg_${'0'.repeat(32)}`))
  assert.match(callbacks, /Index Cond: \(\(project_id = p\.id\) AND \(id = /)
})
