import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClock, formatDate, formatDateTime, formatDayMonth } from './format.ts'
import { formatExactDateTime, formatLongDate } from './format.ts'
import { formatAxisMoney, formatMoney, formatNumber, formatPercent } from './format.ts'

const PODGORICA = 'Europe/Podgorica'
const SUMMER = new Date('2026-07-26T15:04:05.678Z')
const WINTER = new Date('2026-01-05T07:04:05.000Z')

// U+00A0 is written as an escape to make it visible.
const MONEY: [amount: bigint, scale: number, cnr: string, en: string][] = [
  [1500n, 2, '15,00\u00A0€', '€15.00'],
  [150000n, 2, '1.500,00\u00A0€', '€1,500.00'],
  [1n, 2, '0,01\u00A0€', '€0.01'],
  [10n, 2, '0,10\u00A0€', '€0.10'],
  [100n, 2, '1,00\u00A0€', '€1.00'],
  [0n, 2, '0,00\u00A0€', '€0.00'],
  [-500n, 2, '−5,00\u00A0€', '−€5.00'],
  [-5n, 2, '−0,05\u00A0€', '−€0.05'],
  [999_999_999_999n, 2, '9.999.999.999,99\u00A0€', '€9,999,999,999.99'],
  [123_456_789_012n, 2, '1.234.567.890,12\u00A0€', '€1,234,567,890.12'],
  [15n, 0, '15\u00A0€', '€15'],
  [999_999_999_999n, 0, '999.999.999.999\u00A0€', '€999,999,999,999'],
  [1n, 3, '0,001\u00A0€', '€0.001'],
  // Larger than a Number can hold exactly.
  [90_071_992_547_409_931n, 2, '900.719.925.474.099,31\u00A0€', '€900,719,925,474,099.31'],
]

for (const [amount, scale, cnr, en] of MONEY) {
  test(`${amount} at scale ${scale} is ${en} and, in Montenegrin, ${cnr}`, () => {
    assert.equal(formatMoney('cnr', amount, 'EUR', scale), cnr)
    assert.equal(formatMoney('en', amount, 'EUR', scale), en)
  })
}

test('the labels of an axis have decimals only if an amount is not whole, and large amounts are shortened', () => {
  const formatBoth = (amounts: bigint[], scale = 2) => [
    formatAxisMoney('cnr', amounts, 'EUR', scale),
    formatAxisMoney('en', amounts, 'EUR', scale),
  ]
  assert.deepEqual(formatBoth([0n, 50n, 100n]), [
    ['0,00\u00A0€', '0,50\u00A0€', '1,00\u00A0€'],
    ['€0.00', '€0.50', '€1.00'],
  ])
  assert.deepEqual(formatBoth([0n, 500_000n, 1_000_000n]), [
    ['0\u00A0€', '5.000\u00A0€', '10.000\u00A0€'],
    ['€0', '€5,000', '€10,000'],
  ])
  const [cnr, en] = formatBoth([0n, 5_000_000_000n, 20_000_000_000n])
  assert.deepEqual(en, ['€0', '€50m', '€200m'])
  assert.match(cnr![2]!, /^200\smil\.\s€$/)
  assert.deepEqual(formatBoth([0n, 5n], 0)[1], ['€0', '€5'])
})

test('a currency other than the euro is written with its own sign or code', () => {
  assert.equal(formatMoney('cnr', 1500n, 'RSD', 2), '15,00\u00A0RSD')
  assert.equal(formatMoney('en', 1500n, 'GBP', 2), '£15.00')
})

test('an invalid currency code is refused', () => {
  assert.throws(() => formatMoney('cnr', 1500n, 'euro', 2), RangeError)
})

test('numbers have the group and decimal separators of each language', () => {
  assert.equal(formatNumber('cnr', 1234567.5), '1.234.567,5')
  assert.equal(formatNumber('en', 1234567.5), '1,234,567.5')
  assert.equal(formatNumber('cnr', 12_345_678_901_234_567_890n), '12.345.678.901.234.567.890')
})

test('a ratio is written as a percentage with at most one decimal', () => {
  assert.equal(formatPercent('cnr', 0.984), '98,4%')
  assert.equal(formatPercent('en', 0.984), '98.4%')
  assert.equal(formatPercent('en', 0.98765), '98.8%')
  assert.equal(formatPercent('cnr', 1), '100%')
  assert.equal(formatPercent('en', 0), '0%')
})

test('only a ratio of exactly 1 is "100%", and only a ratio of exactly 0 is "0%"', () => {
  assert.equal(formatPercent('en', 9_999 / 10_000), '99.9%')
  assert.equal(formatPercent('cnr', 1 / 10_000), '0,1%')
})

test('a Montenegrin date is numeric, and an English one names the month', () => {
  assert.equal(formatDateTime('cnr', SUMMER, PODGORICA), '26.07.2026. 17:04')
  assert.equal(formatDateTime('en', SUMMER, PODGORICA), '26 Jul 2026, 17:04')
  assert.equal(formatDate('cnr', SUMMER, PODGORICA), '26.07.2026.')
  assert.equal(formatDate('en', SUMMER, PODGORICA), '26 Jul 2026')
})

test('midnight is 00:00 and belongs to the new day', () => {
  const midnight = new Date('2026-07-25T22:00:00Z')
  assert.equal(formatDateTime('cnr', midnight, PODGORICA), '26.07.2026. 00:00')
  assert.equal(formatDateTime('en', midnight, PODGORICA), '26 Jul 2026, 00:00')
})

test('the exact time has seconds and the name of the zone, in summer and in winter', () => {
  assert.equal(formatExactDateTime('cnr', SUMMER, PODGORICA), '26.07.2026. 17:04:05 CEST')
  assert.equal(formatExactDateTime('cnr', WINTER, PODGORICA), '05.01.2026. 08:04:05 CET')
  assert.equal(formatExactDateTime('en', SUMMER, PODGORICA), '26 Jul 2026, 17:04:05 CEST')
  assert.equal(formatExactDateTime('en', SUMMER, 'UTC'), '26 Jul 2026, 15:04:05 UTC')
})

test('the zone name distinguishes the two times of the repeated hour in October', () => {
  const inSummerTime = new Date('2026-10-25T00:30:00Z')
  const inWinterTime = new Date('2026-10-25T01:30:00Z')
  assert.equal(formatExactDateTime('cnr', inSummerTime, PODGORICA), '25.10.2026. 02:30:00 CEST')
  assert.equal(formatExactDateTime('cnr', inWinterTime, PODGORICA), '25.10.2026. 02:30:00 CET')
})

test('the hour that clocks skip in March never appears', () => {
  assert.equal(formatDateTime('cnr', new Date('2026-03-29T00:59:00Z'), PODGORICA), '29.03.2026. 01:59')
  assert.equal(formatDateTime('cnr', new Date('2026-03-29T01:00:00Z'), PODGORICA), '29.03.2026. 03:00')
})

const LONG_DATES = [
  '1. januara',
  '1. februara',
  '1. marta',
  '1. aprila',
  '1. maja',
  '1. juna',
  '1. jula',
  '1. avgusta',
  '1. septembra',
  '1. oktobra',
  '1. novembra',
  '1. decembra',
]

test('the Montenegrin long date has the month in the genitive', () => {
  for (const [month, expected] of LONG_DATES.entries()) {
    const noon = new Date(Date.UTC(2026, month, 1, 12))
    assert.equal(formatLongDate('cnr', noon, PODGORICA), `${expected} 2026.`)
  }
  assert.equal(formatLongDate('cnr', SUMMER, PODGORICA), '26. jula 2026.')
  assert.equal(formatLongDate('en', SUMMER, PODGORICA), '26 July 2026')
})

test('a long date has the day of the given zone', () => {
  const lateUtc = new Date('2026-12-31T23:30:00Z')
  assert.equal(formatLongDate('cnr', lateUtc, PODGORICA), '1. januara 2027.')
  assert.equal(formatLongDate('cnr', lateUtc, 'America/New_York'), '31. decembra 2026.')
})

test('an unknown zone is refused', () => {
  assert.throws(() => formatDateTime('cnr', SUMMER, 'Europe/Perast'), RangeError)
})

test('more zones than are cached are still formatted correctly', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const spellings = [...zones, ...zones.map((zone) => zone.toLowerCase())]
  assert.ok(spellings.length > 500)
  for (const zone of spellings)
    assert.match(formatDateTime('cnr', SUMMER, zone), /^2[67]\.07\.2026\. \d\d:\d\d$/)
  assert.equal(formatDateTime('cnr', SUMMER, PODGORICA), '26.07.2026. 17:04')
})

test('a day can be written without its year, and a time without its day', () => {
  assert.equal(formatDayMonth('cnr', SUMMER, PODGORICA), '26.07.')
  assert.equal(formatDayMonth('en', SUMMER, PODGORICA), '26 Jul')
  assert.equal(formatClock('cnr', SUMMER, PODGORICA), '17:04')
  assert.equal(formatClock('en', WINTER, PODGORICA), '08:04')
})
