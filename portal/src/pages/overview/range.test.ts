// The days that the overview shows, and what its bars are made of.
import assert from 'node:assert/strict'
import { test } from 'node:test'

// This object of the browser must exist before the modules that read it are imported.
Object.defineProperty(globalThis, 'location', {
  value: new URL('https://pay.example.me/en/projects'),
  configurable: true,
})
const { isAllowed, toBarName, toDays, toNetParts, toRate } = await import('./range.ts')

const ZONE = 'Europe/Podgorica'

test('the days of the address are shown; without them, the last seven days, including today', (t) => {
  // Half past midnight on the 27th in Podgorica.
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-07-26T22:30:00Z') })
  assert.deepEqual(toDays({}, ZONE), { from: '2026-07-21', to: '2026-07-27' })
  assert.deepEqual(toDays({}, 'UTC'), { from: '2026-07-20', to: '2026-07-26' })
  assert.deepEqual(toDays({ days: 30 }, ZONE), { from: '2026-06-28', to: '2026-07-27' })
  const chosen = { from: '2026-01-01', to: '2026-01-31' }
  assert.deepEqual(toDays({ ...chosen, days: 30 }, ZONE), chosen)
})

test('a range is allowed if it has at most 92 days and its first day is not after its last', () => {
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-04-02' }), true)
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-04-03' }), false)
  assert.equal(isAllowed({ from: '2026-01-01', to: '2026-01-01' }), true)
  assert.equal(isAllowed({ from: '2026-01-02', to: '2026-01-01' }), false)
  assert.equal(isAllowed({ from: '', to: '2026-01-01' }), false)
  assert.equal(isAllowed({ from: '2026-01-01', to: '' }), false)
})

test('the success rate counts only payments that ended, and is null if none has ended', () => {
  assert.equal(toRate({ succeeded: 3, failed: 1 }), 0.75)
  assert.equal(toRate({ succeeded: 0, failed: 2 }), 0)
  assert.equal(toRate({ succeeded: 0, failed: 0 }), null)
})

test('the parts of a bar are the amount that was kept and the amount that was taken back, and neither is below zero', () => {
  assert.deepEqual(toNetParts({ volume: '1500', net: '1000' }), { kept: 1000n, takenBack: 500n })
  assert.deepEqual(toNetParts({ volume: '0', net: '-500' }), { kept: 0n, takenBack: 500n })
  assert.deepEqual(toNetParts({ volume: '1000', net: '1500' }), { kept: 1500n, takenBack: 0n })
})

test('the bar of an hour shows its time and the bar of a day its date, in the time zone of the account', () => {
  const bar = { at: '2026-07-26T22:00:00Z' } as Parameters<typeof toBarName>[0]
  const hour = { day: '2026-07-27', short: '00:00', full: '27 Jul 2026, 00:00' }
  assert.deepEqual(toBarName(bar, 'hour', ZONE), hour)
  assert.deepEqual(toBarName(bar, 'day', ZONE), { day: '2026-07-27', short: '27 Jul', full: '27 Jul 2026' })
})
