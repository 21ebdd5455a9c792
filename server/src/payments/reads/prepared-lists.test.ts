import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TransactionFilters } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { startPayments } from '../../../test/payments.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { toListFilter } from './list-filter.ts'
import { PREPARED_MAX } from './list-scope-store.ts'
import { findPage } from './list-store.ts'

/** Each of these filters matches the payment of the test, and each set of these filters has its own statement. */
const FILTERS: TransactionFilters[] = [
  { mode: 'live' },
  { state: 'succeeded' },
  { customId: 'order-7' },
  { from: '2000-01-01T00:00:00Z' },
  { completedFrom: '2000-01-01T00:00:00Z' },
  { refunded: false },
  { disputed: false },
]
const SETS = 2 ** FILTERS.length

test('a list works with any set of filters, and a connection stores only a limited number of list statements', async () => {
  assert.ok(SETS > PREPARED_MAX)
  const { deps, projectId } = await startPayments()
  const [id] = await insertPayments(deps, projectId, [{ customId: 'order-7' }])
  for (let set = 0; set < SETS; set += 1) {
    const chosen = FILTERS.filter((_, index) => set & (1 << index))
    const filter = toListFilter([projectId], Object.assign({}, ...chosen))
    const [found] = await findPage(deps.db, filter, { by: 'order', after: null, offset: 0, limit: 1 })
    assert.equal(found?.id, id)
  }
  const prepared = await rows(deps.db, `select from pg_prepared_statements where name like 'list.%'`)
  assert.ok(prepared.length > 0 && prepared.length <= PREPARED_MAX, `${prepared.length} statements`)
})
