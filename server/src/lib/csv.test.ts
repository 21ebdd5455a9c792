import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createCsvLocalTime, toCsvAmount, toCsvAttachment, toCsvLine } from './csv.ts'

test('cells are separated by semicolons in Montenegrin and commas in English, and lines end as in RFC 4180', () => {
  assert.equal(toCsvLine('cnr', ['a', 'b', 1, null]), 'a;b;1;\r\n')
  assert.equal(toCsvLine('en', ['a', 'b', 1, null]), 'a,b,1,\r\n')
})

for (const start of [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  '＝',
  '＋',
  '－',
  '＠',
  '﹦',
  '﹢',
  '﹣',
  '﹫',
  '−',
]) {
  test(`a cell that begins with ${JSON.stringify(start)} cannot run as a formula`, () => {
    const line = toCsvLine('en', [`${start}1+1`])
    assert.match(line, /^"?'/)
    assert.ok(line.includes(`'${start}1+1`))
  })
}

const INVISIBLE_LEADERS = [
  ' ',
  '\u00A0',
  '\u3000',
  '\u2007',
  '\u202F',
  '\uFEFF',
  '\u200B',
  '\u200D',
  '\u2060',
  '\u202E',
  '\u0001',
  '\u3164',
  '"',
  '\u00A0\u200B ',
]

for (const leader of INVISIBLE_LEADERS) {
  test(`a formula after ${JSON.stringify(leader)} cannot run`, () => {
    for (const sign of ['=', '＝', '@']) {
      assert.match(toCsvLine('cnr', [`${leader}${sign}1`]), /^"?'/)
    }
  })
}

test('a formula after a line break or a separator inside a cell cannot run', () => {
  assert.equal(toCsvLine('en', ['a\n=1']), `"a\n'=1"\r\n`)
  assert.equal(toCsvLine('en', ['a\r\n\u00A0＝1']), `"a\r\n'\u00A0＝1"\r\n`)
  assert.equal(toCsvLine('en', ['a;=1;b']), `"a;'=1;b"\r\n`)
  assert.equal(toCsvLine('cnr', ['a, @x']), `"a,' @x"\r\n`)
  assert.equal(toCsvLine('cnr', ['a,"=1']), `"a,'""=1"\r\n`)
  assert.equal(toCsvLine('en', ['a\t=1\u2028+2']), `"a\t'=1\u2028'+2"\r\n`)
})

/** Reads cells like a program that knows only one separator and accepts quotes only at the start of a cell. */
function readCells(text: string, separator: string): string[] {
  const cells: string[] = []
  let position = 0
  while (position < text.length) {
    let cell = ''
    if (text[position] === '"') {
      const quoted = /"((?:[^"]|"")*)("|$)/y
      quoted.lastIndex = position
      cell = (quoted.exec(text)?.[1] ?? '').replaceAll('""', '"')
      position = quoted.lastIndex === 0 ? text.length : quoted.lastIndex
    }
    while (
      position < text.length &&
      text[position] !== separator &&
      text[position] !== '\r' &&
      text[position] !== '\n'
    ) {
      cell += text[position]
      position += 1
    }
    cells.push(cell)
    position += 1
  }
  return cells
}

test('no cell is read as a formula, whatever its text is and whichever separator the program expects', () => {
  const pieces = fc.constantFrom(
    '=',
    '＝',
    '-',
    '"',
    ',',
    ';',
    '\n',
    '\r',
    '\t',
    ' ',
    '\u00A0',
    '\uFEFF',
    'a',
    '1',
    "'",
  )
  const cell = fc.string({ unit: pieces, maxLength: 8 })
  fc.assert(
    fc.property(fc.constantFrom('cnr', 'en'), fc.array(cell, { maxLength: 4 }), (locale, values) => {
      const line = toCsvLine(locale, values)
      for (const separator of [',', ';', '\t']) {
        for (const text of readCells(line, separator))
          assert.doesNotMatch(text, /^[\s\uFEFF"]*[=＝-]/u, `${JSON.stringify(line)} by ${separator}`)
      }
      const cells = readCells(line, locale === 'cnr' ? ';' : ',')
      const withoutQuotes = (text: string) => text.replaceAll("'", '')
      assert.deepEqual(
        cells.slice(0, values.length).map(withoutQuotes).join('|'),
        values.map(withoutQuotes).join('|'),
      )
    }),
    { numRuns: 20_000, seed: 8 },
  )
})

test('a formula sign inside a text is not changed', () => {
  assert.equal(toCsvLine('en', ['a=1', 'order-7', '1-2']), 'a=1,order-7,1-2\r\n')
})

test('separators, quotes and line breaks stay inside their cell', () => {
  assert.equal(toCsvLine('cnr', ['a;b', 'say "hi"', 'two\r\nlines']), '"a;b";"say ""hi""";"two\r\nlines"\r\n')
  assert.equal(toCsvLine('en', ['a,b', 'a;b', '";cmd|x']), '"a,b","a;b",""";cmd|x"\r\n')
})

test('amounts have the decimal mark of the language, all digits and no grouping', () => {
  assert.equal(toCsvAmount('cnr', 1500n, 2), '15,00')
  assert.equal(toCsvAmount('en', 1500n, 2), '15.00')
  assert.equal(toCsvAmount('en', 5n, 2), '0.05')
  assert.equal(toCsvAmount('en', 999_999_999_999n, 2), '9999999999.99')
  assert.equal(toCsvAmount('cnr', 1500n, 0), '1500')
})

test('local times are in the given time zone, before and after its clocks change', () => {
  const podgorica = createCsvLocalTime('Europe/Podgorica')
  assert.equal(podgorica(new Date('2026-07-26T15:04:05.900Z')), '2026-07-26 17:04:05')
  assert.equal(podgorica(new Date('2026-12-31T23:30:00Z')), '2027-01-01 00:30:00')
  assert.equal(createCsvLocalTime('UTC')(new Date('2026-01-02T00:00:00Z')), '2026-01-02 00:00:00')
})

test('the name of a file contains the day of the download, in the time zone of the reader', () => {
  const atMs = Date.parse('2026-07-26T22:30:00Z')
  const nameIn = (zone: string) => toCsvAttachment(['transactions', 'abc', 'live'], atMs, zone)
  assert.equal(nameIn('UTC'), 'attachment; filename="transactions-abc-live-2026-07-26.csv"')
  assert.equal(nameIn('Europe/Podgorica'), 'attachment; filename="transactions-abc-live-2026-07-27.csv"')
})
