import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, formatRelativeTime, formatWait } from './format-time.ts'

const PODGORICA = 'Europe/Podgorica'
// A Sunday, 17:00 in Podgorica.
const NOW_MS = Date.parse('2026-07-26T15:00:00.000Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const RELATIVE: [offsetMs: number, cnr: string, en: string][] = [
  [0, 'upravo sada', 'just now'],
  [5 * SECOND, 'upravo sada', 'just now'],
  [-59_999, 'upravo sada', 'just now'],
  [-MINUTE, 'prije 1 min', '1 min ago'],
  [-119_999, 'prije 1 min', '1 min ago'],
  [-5 * MINUTE, 'prije 5 min', '5 min ago'],
  [-HOUR + 1, 'prije 59 min', '59 min ago'],
  [-HOUR, 'prije 1 h', '1 h ago'],
  [-2 * HOUR, 'prije 2 h', '2 h ago'],
  [-DAY + 1, 'prije 23 h', '23 h ago'],
  [-DAY, 'juče', 'yesterday'],
  // In Podgorica, yesterday began 41 hours ago.
  [-41 * HOUR, 'juče', 'yesterday'],
  [-41 * HOUR - SECOND, 'prije 2 dana', '2 days ago'],
  [-5 * DAY, 'prije 5 dana', '5 days ago'],
  [-6 * DAY, 'prije 6 dana', '6 days ago'],
  [-7 * DAY, '19.07.2026.', '19 Jul 2026'],
  [-400 * DAY, '21.06.2025.', '21 Jun 2025'],
  [5 * SECOND + 1, 'za manje od 1 min', 'in under 1 min'],
  [59_999, 'za manje od 1 min', 'in under 1 min'],
  [MINUTE, 'za 1 min', 'in 1 min'],
  [4 * MINUTE, 'za 4 min', 'in 4 min'],
  [2 * HOUR, 'za 2 h', 'in 2 h'],
  [DAY, 'sjutra', 'tomorrow'],
  // In Podgorica, tomorrow ends in 31 hours.
  [31 * HOUR - 1, 'sjutra', 'tomorrow'],
  [31 * HOUR, 'za 2 dana', 'in 2 days'],
  [6 * DAY, 'za 6 dana', 'in 6 days'],
  [7 * DAY, '02.08.2026.', '2 Aug 2026'],
]

for (const [offsetMs, cnr, en] of RELATIVE) {
  test(`${offsetMs} ms from now reads "${cnr}" and "${en}"`, () => {
    const date = new Date(NOW_MS + offsetMs)
    assert.equal(formatRelativeTime('cnr', date, NOW_MS, PODGORICA), cnr)
    assert.equal(formatRelativeTime('en', date, NOW_MS, PODGORICA), en)
  })
}

test('"yesterday" depends on the given time zone', () => {
  const date = new Date('2026-07-24T23:30:00Z')
  assert.equal(formatRelativeTime('cnr', date, NOW_MS, PODGORICA), 'juče')
  assert.equal(formatRelativeTime('cnr', date, NOW_MS, 'America/New_York'), 'prije 2 dana')
})

test('at the end of a day of 25 hours, its start is "24 h ago"', () => {
  const dayStart = new Date('2026-10-24T22:00:00Z')
  const dayEndMs = Date.parse('2026-10-25T22:30:00Z')
  assert.equal(formatRelativeTime('cnr', dayStart, dayEndMs, PODGORICA), 'prije 24 h')
})

test('on a day of 23 hours, 24 hours ago is "yesterday"', () => {
  const date = new Date('2026-03-28T12:00:00Z')
  assert.equal(formatRelativeTime('cnr', date, Date.parse('2026-03-29T12:00:00Z'), PODGORICA), 'juče')
})

const DURATIONS: [durationMs: number, cnr: string, en: string][] = [
  [0, '0 ms', '0 ms'],
  [-3, '0 ms', '0 ms'],
  [41.6, '42 ms', '42 ms'],
  [999, '999 ms', '999 ms'],
  [1000, '1 s', '1 s'],
  [1234, '1,2 s', '1.2 s'],
  [59_949, '59,9 s', '59.9 s'],
  [59_950, '1 min', '1 min'],
  [125_000, '2 min 5 s', '2 min 5 s'],
  [HOUR - 1, '1 h', '1 h'],
  [HOUR, '1 h', '1 h'],
  [3 * HOUR + 4 * MINUTE, '3 h 4 min', '3 h 4 min'],
  [DAY - 1, '1 dan', '1 day'],
  [DAY, '1 dan', '1 day'],
  [2 * DAY + 3 * HOUR, '2 dana 3 h', '2 days 3 h'],
  [21 * DAY, '21 dan', '21 days'],
]

for (const [durationMs, cnr, en] of DURATIONS) {
  test(`a duration of ${durationMs} ms reads "${cnr}" and "${en}"`, () => {
    assert.equal(formatDuration('cnr', durationMs), cnr)
    assert.equal(formatDuration('en', durationMs), en)
  })
}

test('a wait is rounded up', () => {
  const waits: [number, string][] = [
    [0, '1 s'],
    [1, '1 s'],
    [44_001, '45 s'],
    [59_001, '1 min'],
    [MINUTE, '1 min'],
    [MINUTE + 1, '2 min'],
    [13 * MINUTE + 1, '14 min'],
    [15 * MINUTE, '15 min'],
    [HOUR - 1, '1 h'],
    [HOUR + 1, '1 h 1 min'],
    [DAY + 20 * MINUTE, '1 dan 1 h'],
  ]
  for (const [waitMs, expected] of waits) assert.equal(formatWait('cnr', waitMs), expected)
})
