import assert from 'node:assert/strict'
import { test } from 'node:test'

// The imported modules read this object.
Object.defineProperty(globalThis, 'location', {
  value: new URL('https://pay.example.me/en/projects'),
  configurable: true,
})
const { isAllowed, toBarName, toDays, toNetParts, toRate } = await import('./range.ts')

const ZONE = 'Europe/Podgorica'

test('without days in the address, the last seven days are shown, today included', (t) => {
  // In Podgorica, this is half past midnight on the 27th.
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-07-26T22:30:00Z') })
  assert.deepEqual(toDays({}, ZONE), { from: '2026-07-21', to: '2026-07-27' })
  assert.deepEqual(toDays({}, 'UTC'), { from: '2026-07-20', to: '2026-07-26' })
  assert.deepEqual(toDays({ days: 30 }, ZONE), { from: '2026-06-28', to: '2026-07-27' })
  const chosen = { from: '2026-01-01', to: '2026-01-31' }
  assert.deepEqual(toDays({ ...chosen, days: 30 }, ZONE), chosen)
})

test('a range needs two days in order and has at most 92 days', () => {
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-04-02' }), true)
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-04-03' }), false)
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-01-01' }), true)
  assert.equal(isAllowed({ from: '2026-01-02', to: '2026-01-01' }), false)
  assert.equal(isAllowed({ from: '', to: '2026-01-01' }), false)
  assert.equal(isAllowed({ from: '2026-01-01', to: '' }), false)
  for (const day of ['202600-01-01', '275760-09-13', '0026-01-01', '1999-12-31'])
    assert.equal(isAllowed({ from: day, to: day }), false, day)
})

test('the success rate counts only payments that ended, and is null if none has ended', () => {
  assert.equal(toRate({ succeeded: 3, failed: 1 }), 0.75)
  assert.equal(toRate({ succeeded: 0, failed: 2 }), 0)
  assert.equal(toRate({ succeeded: 0, failed: 0 }), null)
})

test('a bar has a kept part and a part that was taken back, and neither is negative', () => {
  assert.deepEqual(toNetParts({ volume: '1500', net: '1000' }), { kept: 1000n, takenBack: 500n })
  assert.deepEqual(toNetParts({ volume: '0', net: '-500' }), { kept: 0n, takenBack: 500n })
  assert.deepEqual(toNetParts({ volume: '1000', net: '1500' }), { kept: 1500n, takenBack: 0n })
})

test('the bar of an hour is named by its time, and the bar of a day by its date', () => {
  const bar = { at: '2026-07-26T22:00:00Z' } as Parameters<typeof toBarName>[0]
  const hour = { day: '2026-07-27', short: '00:00', full: '27 Jul 2026, 00:00' }
  assert.deepEqual(toBarName(bar, 'hour', ZONE), hour)
  assert.deepEqual(toBarName(bar, 'day', ZONE), { day: '2026-07-27', short: '27 Jul', full: '27 Jul 2026' })
})
