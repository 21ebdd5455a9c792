import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDayStart, toInstants } from './days.ts'

test('a range of days includes its last day, in the time zone of the account', () => {
  assert.equal(toDayStart('2026-07-26', 'Europe/Podgorica'), '2026-07-25T22:00:00.000Z')
  assert.deepEqual(toInstants({ from: '2026-07-01', to: '2026-07-31' }, 'Europe/Podgorica'), {
    from: '2026-06-30T22:00:00.000Z',
    to: '2026-07-31T22:00:00.000Z',
  })
  assert.deepEqual(toInstants({ to: '2026-12-31' }, 'UTC'), { to: '2027-01-01T00:00:00.000Z' })
  assert.deepEqual(toInstants({}, 'UTC'), {})
})
