import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { openBooks, sumAmounts } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)

test('after a change of the decimals, the statement has only payments with the current decimals', async () => {
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  const { readStatement: statement, readCsv: csv } = openBooks(owner, projectId, '2026-04')
  const insert = (amount: number, scale: number, day: string) =>
    rows(
      deps.db,
      `insert into transactions (id, project_id, mode, attempt_id, amount, currency, amount_scale, state, created_at, completed_at)
       select gen_random_uuid(), $1, 'live', gen_random_uuid(), $2, 'EUR', $3, 'succeeded', at, at
       from (select $4::timestamptz as at) as times`,
      [projectId, amount, scale, `${day}T12:00:00Z`],
    )
  await insert(7_000, 3, '2026-04-08')
  await insert(11_000, 3, '2026-04-10')
  await insert(900, 2, '2026-04-10')
  await insert(13_000, 3, '2026-04-10')
  await insert(500, 2, '2026-04-12')
  await insert(17_000, 3, '2026-04-12')

  const { currency, scale, days, totals } = await statement()
  assert.deepEqual([currency, scale], ['EUR', 2])
  assert.partialDeepStrictEqual(totals, { payments: 2, gross: '1400', net: '1400' })
  assert.deepEqual(
    days.filter(({ payments }) => payments > 0).map(({ date, payments, net }) => [date, payments, net]),
    [
      ['2026-04-10', 1, '900'],
      ['2026-04-12', 1, '500'],
    ],
  )
  const lines = await csv()
  assert.equal(sumAmounts(lines).toString(), totals.net)
  assert.deepEqual(
    lines.map(({ amountDecimal }) => amountDecimal),
    ['9.00', '5.00'],
  )
})
