import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCsvLocalTime, toCsvAmount, toCsvLine } from './csv.ts'

test('Montenegrin parts cells by the semicolon, English by the comma, and lines end as RFC 4180 says', () => {
  assert.equal(toCsvLine('cnr', ['a', 'b', 1, null]), 'a;b;1;\r\n')
  assert.equal(toCsvLine('en', ['a', 'b', 1, null]), 'a,b,1,\r\n')
})

for (const start of ['=', '+', '-', '@', '\t', '\r']) {
  test(`a cell that begins with ${JSON.stringify(start)} is made inert`, () => {
    const line = toCsvLine('en', [`${start}1+1`])
    assert.match(line, /^"?'/)
    assert.ok(line.includes(`'${start}1+1`))
  })
}

test('a formula sign further inside is left as it was written', () => {
  assert.equal(toCsvLine('en', ['a=1', 'order-7', '1-2']), 'a=1,order-7,1-2\r\n')
})

test('separators, quotes and line ends stay inside their cell', () => {
  assert.equal(toCsvLine('cnr', ['a;b', 'say "hi"', 'two\r\nlines']), '"a;b";"say ""hi""";"two\r\nlines"\r\n')
  assert.equal(toCsvLine('en', ['a,b', '";=cmd|x']), '"a,b",""";=cmd|x"\r\n')
})

test('amounts carry the mark of the language, every digit, and no grouping', () => {
  assert.equal(toCsvAmount('cnr', 1500n, 2), '15,00')
  assert.equal(toCsvAmount('en', 1500n, 2), '15.00')
  assert.equal(toCsvAmount('en', 5n, 2), '0.05')
  assert.equal(toCsvAmount('en', 999_999_999_999n, 2), '9999999999.99')
  assert.equal(toCsvAmount('cnr', 1500n, 0), '1500')
})

test('local time follows the zone, also across the change of clocks', () => {
  const podgorica = createCsvLocalTime('Europe/Podgorica')
  assert.equal(podgorica(new Date('2026-07-26T15:04:05.900Z')), '2026-07-26 17:04:05')
  assert.equal(podgorica(new Date('2026-12-31T23:30:00Z')), '2027-01-01 00:30:00')
  assert.equal(createCsvLocalTime('UTC')(new Date('2026-01-02T00:00:00Z')), '2026-01-02 00:00:00')
})
