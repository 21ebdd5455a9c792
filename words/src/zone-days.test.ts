import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, toDay, toDayStartMs, toHourStartMs } from './zone-days.ts'

const toIso = (ms: number) => new Date(ms).toISOString()

// Beirut and Havana change their clocks at midnight, Lord Howe by half an hour. Kathmandu is at +5:45.
const ZONES = [
  'Europe/Podgorica',
  'UTC',
  'Asia/Beirut',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'America/St_Johns',
  'Pacific/Kiritimati',
]
const QUARTER_MS = 15 * 60_000

for (const zone of ZONES) {
  test(`in ${zone} every day of a year begins at the first instant with its date`, () => {
    // Swedish dates have the form 2026-07-26.
    const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
    let previousDay = formatter.format(Date.UTC(2025, 11, 31))
    for (let ms = Date.UTC(2025, 11, 31); ms < Date.UTC(2027, 0, 2); ms += QUARTER_MS) {
      const day = formatter.format(ms)
      if (day === previousDay) continue
      assert.equal(toIso(toDayStartMs(day, zone)), toIso(ms), day)
      assert.equal(toDay(ms, zone), day)
      assert.equal(toDay(ms - 1, zone), previousDay)
      previousDay = day
    }
  })

  test(`in ${zone} the start of an hour is less than one hour before the instant`, () => {
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, minute: 'numeric' })
    for (let n = 0; n < 3_000; n += 1) {
      // Spread over a year, at changing times of day.
      const ms = Date.UTC(2026, 0, 1) + n * 10_500_017
      const startMs = toHourStartMs(ms, zone)
      assert.ok(startMs <= ms && ms - startMs < 3_600_000)
      assert.equal(startMs % QUARTER_MS, 0)
      // Lord Howe changes its clocks by half an hour. In the hour of the change, the returned start can be at half past.
      if (zone !== 'Australia/Lord_Howe') assert.equal(Number(formatter.format(startMs)), 0, toIso(ms))
    }
  })
}

test('a day has 23 hours when clocks go forward, and 25 when they go back', () => {
  const countHours = (day: string) =>
    (toDayStartMs(addDays(day, 1), 'Europe/Podgorica') - toDayStartMs(day, 'Europe/Podgorica')) / 3_600_000
  assert.deepEqual(['2026-03-28', '2026-03-29', '2026-10-25', '2026-10-26'].map(countHours), [24, 23, 25, 24])
})

test('days are added over months, years and leap days', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  assert.equal(addDays('2026-10-20', 92), '2027-01-20')
})
