import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { startClosingWorld } from '../../../test/closing-world.ts'
import { recordStatements } from '../../../test/payments.ts'
import { until } from '../../../test/until.ts'
import type { AccountId } from '../../accounts/account.ts'
import { requireProjectForChange, requireProjectUntilCommit } from '../../projects/access.ts'
import { deleteUnused } from './delete-project.ts'

const { deps, db, ownerWithProject } = await startClosingWorld()

const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

for (const [caseName, lock] of [
  ['a change of the project', requireProjectForChange],
  ['a request that needs the project unchanged', requireProjectUntilCommit],
] as const)
  test(`a deletion of the project waits for the end of ${caseName}, without a deadlock`, async () => {
    const { id } = await ownerWithProject()
    const [row] = await rows<{ owner_id: AccountId }>(db, 'select owner_id from projects where id = $1', [id])
    const ownerId = row!.owner_id
    const order: string[] = []
    const deletions: Promise<void>[] = []
    const recorded = recordStatements(deps, async (name, run) => {
      const result = await run()
      if (!name.startsWith('projects.turn_to_') || deletions.length > 0) return result
      deletions.push(deleteUnused(recorded.deps, ownerId, id, async () => void order.push('deleted')))
      await until(async () => (await rows(db, isWaiting)).length > 0, 'the deletion waits')
      return result
    })
    await recorded.deps.db.transaction((tx) => lock(tx, ownerId, id, 'ownership'))
    order.push('changed')
    await Promise.all(deletions)
    assert.deepEqual(order, ['changed', 'deleted'])
    assert.equal(recorded.commits(), 2, 'no transaction was repeated after a deadlock')
  })
