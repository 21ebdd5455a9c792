// An older payment is one that ended before the ledger existed. The backfill posts it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { openBooks, sumAmounts } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { isLocked } from '../../test/row-locks.ts'
import { backfillOnce } from '../db/backfill.ts'
import { publishAll } from '../feed/publish.ts'
import { LEDGER_BACKFILL } from './backfill-store.ts'

const { app, deps, databaseUrl } = await startTestService()
const { db } = deps
const owner = await signUp(app)

/** Creates the state of an installation with payments right after the migration that adds the ledger. */
async function forgetLedger(): Promise<void> {
  await rows(db, 'delete from ledger_entries')
  await rows(db, 'delete from ledger_days')
  await rows(db, 'update ledger_backfill set after = null, done_at = null')
}

async function insertPayments(projectId: string, count: number): Promise<void> {
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, failure_code, needs_review, created_at, completed_at)
     select gen_random_uuid(), $1, case when n % 10 = 0 then 'test' else 'live' end, gen_random_uuid(), n, 'EUR',
       case when n % 7 = 0 then 'failed' else 'succeeded' end, case when n % 7 = 0 then 'declined' end, n % 11 = 0, at, at
     from generate_series(1, $2::integer) as n cross join lateral
       (select timestamptz '2026-05-01Z' + n * interval '11 minutes' as at) as times`,
    [projectId, count],
  )
}

const COUNT = 1_200
const isCounted = (n: number) => n % 7 !== 0 && n % 10 !== 0
const EXPECTED = Array.from({ length: COUNT }, (_, index) => index + 1)
  .filter(isCounted)
  .reduce((sum, n) => sum + n, 0)

test('statements are unavailable until all older payments are posted, and each older payment is posted once', async () => {
  const { id } = await owner.addProject({ timeZone: 'UTC' })
  const books = openBooks(owner, id, '2026-05')
  await insertPayments(id, COUNT)
  const statementBefore = await books.readStatement()
  assert.equal(statementBefore.totals.net, String(EXPECTED))
  await forgetLedger()
  const refused = await owner.get(`/portal/api/projects/${id}/statement?month=2026-05`)
  assert.deepEqual([refused.status, refused.code], [503, 'unavailable'])
  assert.equal(refused.headers['retry-after'], '30')
  let batches = 0
  while (await backfillOnce(db, LEDGER_BACKFILL)) batches += 1
  // A batch has 500 payments.
  assert.equal(batches, 3)
  assert.deepEqual(await books.readStatement(), statementBefore)
  assert.equal(sumAmounts(await books.readCsv()), BigInt(EXPECTED))
})

test('an older payment is posted once, even if its event is published at the same time', async () => {
  const ids: string[] = []
  for (let n = 0; n < 2; n += 1) ids.push((await owner.addProject({ timeZone: 'UTC' })).id)
  await forgetLedger()
  for (const id of ids) await insertPayments(id, COUNT)
  const fill = async () => {
    while (await backfillOnce(db, LEDGER_BACKFILL));
  }
  await Promise.all([fill(), ...ids.map((id) => publishAll(deps, id))])
  await fill()
  for (const id of ids)
    assert.equal((await openBooks(owner, id, '2026-05').readStatement()).totals.net, String(EXPECTED))
})

test('an older payment that an operator resolved is posted on the day of the decision', async () => {
  const { id } = await owner.addProject({ timeZone: 'UTC' })
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, amount_scale, state, failure_code, created_at,
       completed_at, resolution, resolved_at, resolved_by, resolution_reason)
     values (gen_random_uuid(), $1, 'live', gen_random_uuid(), 700, 'EUR', 3, 'failed', 'declined', '2026-05-01Z', '2026-05-02Z',
       'paid', '2026-05-09Z', 'ana', 'the money arrived')`,
    [id],
  )
  await publishAll(deps, id)
  await forgetLedger()
  while (await backfillOnce(db, LEDGER_BACKFILL));
  const text =
    'select posted_on::text as day, amount_scale as scale from ledger_entries where project_id = $1'
  assert.deepEqual(await rows(db, text, [id]), [{ day: '2026-05-09', scale: 3 }])
})

test('while older payments are posted, the feed heads of their projects are locked', async () => {
  const { id } = await owner.addProject({ timeZone: 'UTC' })
  await insertPayments(id, 5)
  await publishAll(deps, id)
  await forgetLedger()
  let isHeadLocked: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'books.backfill_post')
      isHeadLocked = await isLocked(databaseUrl, 'select from feed_heads where project_id = $1', [id])
    return run()
  })
  await watched.db.transaction((tx) => LEDGER_BACKFILL.fill(tx, 5_000))
  assert.equal(isHeadLocked, true)
})

test('while the database is being restored and has no row of the backfill yet, statements are unavailable', async () => {
  const person = await signUp(app)
  const { id } = await person.addProject()
  await rows(db, 'delete from ledger_backfill')
  const refused = await person.get(`/portal/api/projects/${id}/statement?month=2026-05`)
  assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [503, 'unavailable', '2'])
  await assert.rejects(backfillOnce(db, LEDGER_BACKFILL), { code: 'unavailable' })
})
