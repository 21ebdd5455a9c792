import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMonths, toMonth } from './months.ts'

test('the month of an instant depends on the time zone', () => {
  const newYear = Date.parse('2026-12-31T23:30:00Z')
  assert.equal(toMonth(newYear, 'Europe/Podgorica'), '2027-01')
  assert.equal(toMonth(newYear, 'America/New_York'), '2026-12')
})

test('the last two years and the chosen month are listed, newest first', () => {
  const months = listMonths('2026-02', '2026-02')
  assert.deepEqual(months.slice(0, 3), ['2026-02', '2026-01', '2025-12'])
  assert.deepEqual([months.length, months.at(-1)], [24, '2024-03'])
  assert.equal(listMonths('2026-02', '2020-05').at(-1), '2020-05')
})
