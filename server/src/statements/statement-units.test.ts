import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { openBooks, sumAmounts } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { exportStatement } from './statement.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)

const insertPaid = async (
  projectId: string,
  amount: number,
  unit: { currency?: string; scale: number },
  day: string,
) =>
  rows(
    deps.db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, amount_scale, state, created_at, completed_at)
     select gen_random_uuid(), $1, 'live', gen_random_uuid(), $2, $3, $4, 'succeeded', at, at
     from (select $5::timestamptz as at) as times`,
    [projectId, amount, unit.currency ?? 'EUR', unit.scale, `${day}T12:00:00Z`],
  )

test('if the number of decimals changed within a month, sums and entries include all payments and use the largest number of decimals', async () => {
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  const { readStatement: statement, readCsv: csv } = openBooks(owner, projectId, '2026-04')
  await insertPaid(projectId, 7, { scale: 0 }, '2026-04-08')
  await insertPaid(projectId, 7_001, { scale: 3 }, '2026-04-08')
  await insertPaid(projectId, 900, { scale: 2 }, '2026-04-10')
  await insertPaid(projectId, 11, { scale: 0 }, '2026-04-12')

  const { currency, scale, days, totals } = await statement()
  assert.deepEqual([currency, scale], ['EUR', 3])
  assert.partialDeepStrictEqual(totals, { payments: 4, gross: '34001', net: '34001' })
  assert.deepEqual(
    days.filter(({ payments }) => payments > 0).map(({ date, payments, net }) => [date, payments, net]),
    [
      ['2026-04-08', 2, '14001'],
      ['2026-04-10', 1, '9000'],
      ['2026-04-12', 1, '11000'],
    ],
  )
  const lines = await csv()
  assert.equal(sumAmounts(lines).toString(), totals.net)
  assert.deepEqual(
    lines.map(({ amountDecimal }) => amountDecimal),
    ['7.000', '7.001', '9.000', '11.000'],
  )
})

test('a download that meets an entry with more decimals than the month had at its start leaves the entry out, and the next download has it', async () => {
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  const { readStatement: statement, readCsv: csv } = openBooks(owner, projectId, '2026-04')
  await insertPaid(projectId, 900, { scale: 2 }, '2026-04-08')
  let isPosted = false
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'books.list_entries' && !isPosted) {
      isPosted = true
      await insertPaid(projectId, 7_001, { scale: 3 }, '2026-04-08')
      await insertPaid(projectId, 100, { scale: 2 }, '2026-04-12')
      assert.equal((await statement()).totals.payments, 3)
    }
    return run()
  })
  const { id } = (await findAccountByEmail(deps.db, owner.email))!
  const query = { month: '2026-04', mode: 'live', format: 'csv' } as const
  const parts = await exportStatement(watched, id, { projectId, query, locale: 'en' }, async () => true)
  let text = ''
  for await (const part of parts) text += part
  assert.deepEqual(
    text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').at(-1)),
    ['9.00', '1.00'],
  )
  const decimals = (await csv()).map(({ amountDecimal }) => amountDecimal)
  assert.deepEqual(decimals, ['9.000', '7.001', '1.000'])
})

test('the statement of a month uses the number of decimals of the month’s payments, or the current number if there are no payments', async () => {
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  await insertPaid(projectId, 7, { scale: 0 }, '2026-04-08')
  const read = (month: string) => openBooks(owner, projectId, month).readStatement()
  assert.partialDeepStrictEqual(await read('2026-04'), {
    scale: 0,
    currencies: ['EUR'],
    totals: { gross: '7' },
  })
  assert.partialDeepStrictEqual(await read('2026-05'), { scale: 2, currencies: [], totals: { gross: '0' } })
})

test('if the currency changed within a month, the statement names both currencies and uses the current one by default', async () => {
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  const { readStatement, readCsv } = openBooks(owner, projectId, '2026-04')
  await insertPaid(projectId, 900, { scale: 2 }, '2026-04-08')
  await insertPaid(projectId, 5, { currency: 'USD', scale: 0 }, '2026-04-12')
  for (const [query, currency, gross] of [
    ['', 'EUR', '900'],
    ['&currency=USD', 'USD', '5'],
  ] as const) {
    const { totals, currencies, ...unit } = await readStatement(query)
    assert.deepEqual([unit.currency, totals.gross], [currency, gross])
    assert.deepEqual(currencies, ['EUR', 'USD'])
    assert.equal(sumAmounts(await readCsv(query)).toString(), gross)
  }
})
