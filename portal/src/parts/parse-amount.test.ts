import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount, writeAmount } from './parse-amount.ts'

test('an amount is parsed in the formats that people use', () => {
  const written: Record<string, string> = {
    '15': '1500',
    '15,5': '1550',
    '15.50': '1550',
    '15,': '1500',
    ',50': '50',
    '0,5': '50',
    '1.500': '150000',
    '1,500': '150000',
    '1.234,50': '123450',
    '1,234.50': '123450',
    '1 234,50': '123450',
    '1.234.567,89': '123456789',
    '1,234,567': '123456700',
    '€ 15,00': '1500',
    '15,00\u00a0€': '1500',
    '15 EUR': '1500',
    'eur 15': '1500',
    '9.999.999.999,99': '999999999999',
  }
  for (const [text, amount] of Object.entries(written))
    assert.equal(parseAmount(text, 2, 'EUR'), amount, JSON.stringify(text))
})

test('invalid or ambiguous text is not an amount', () => {
  const invalid = [
    '',
    ' ',
    ',',
    '€',
    '0',
    '0,00',
    '-5',
    '+15',
    'abc',
    '1e3',
    '15 USD',
    '15,000.0.0',
    '1.23.456',
    '0,001',
    '1,2345',
    '1.234.56',
    '0.500',
    '1.500.5',
    '10.000.000.000,00',
    '٣',
  ]
  for (const text of invalid) assert.equal(parseAmount(text, 2, 'EUR'), null, JSON.stringify(text))
})

test('a currency without decimals accepts no fraction; in a currency with three decimals, "1.500" is ambiguous', () => {
  assert.equal(parseAmount('1.500', 0, 'RSD'), '1500')
  assert.equal(parseAmount('1,5', 0, 'RSD'), null)
  assert.equal(parseAmount('1.500', 3, 'KWD'), null)
  assert.equal(parseAmount('1,500.250', 3, 'KWD'), '1500250')
})

test('parseAmount reads what writeAmount has written', () => {
  for (const scale of [0, 2])
    for (const amount of ['1', '50', '999', '1500', '123456']) {
      for (const decimalMark of ['.', ','] as const)
        assert.equal(
          parseAmount(writeAmount(amount, scale, decimalMark), scale, 'EUR'),
          amount,
          `${amount} ${scale}`,
        )
    }
  assert.equal(writeAmount('1500', 2, ','), '15,00')
  assert.equal(writeAmount('5', 2, '.'), '0.05')
})
