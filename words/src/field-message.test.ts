import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldMessage } from './field-message.ts'

test('a plain code gives its sentence in the requested language', () => {
  assert.equal(fieldMessage('en', 'required'), 'This field is required.')
  assert.equal(fieldMessage('cnr', 'required'), 'Obavezno polje.')
})

test('a limit is shown with its number and the correct plural', () => {
  assert.equal(fieldMessage('cnr', 'too_long', { max: 80 }), 'Unesite najviše 80 znakova.')
  assert.equal(fieldMessage('cnr', 'too_short', { min: 2 }), 'Unesite najmanje 2 znaka.')
  assert.equal(fieldMessage('cnr', 'too_short', { min: '21' }), 'Unesite najmanje 21 znak.')
  assert.equal(fieldMessage('en', 'too_short', { min: 1 }), 'Enter at least 1 character.')
  assert.equal(
    fieldMessage('cnr', 'not_one_of', { values: 'live, test' }),
    'Dozvoljene vrijednosti: live, test.',
  )
})

test('a message about a range names the limits that are known, and a time has its own sentence', () => {
  assert.equal(fieldMessage('en', 'out_of_range', { min: 1, max: 100 }), 'Enter a number from 1 to 100.')
  assert.equal(fieldMessage('en', 'out_of_range', { min: 1 }), 'Enter 1 or more.')
  assert.equal(
    fieldMessage('en', 'out_of_range', { min: 1_794_000_000, unit: 'unix_seconds' }),
    'Enter a time in the future, in Unix seconds.',
  )
  assert.equal(
    fieldMessage('cnr', 'out_of_range', { max: 10_000 }),
    'Najveća dozvoljena vrijednost je 10.000.',
  )
})

test('an unknown code or a missing number gives a general sentence', () => {
  for (const code of ['nonsense', 'constructor', '__proto__', '', 'too_long', 'out_of_range']) {
    assert.equal(fieldMessage('en', code), 'This value is not valid.', code)
  }
})

test('the amount left to refund is written with its currency and decimals', () => {
  const facts = { left: '1500', currency: 'EUR', scale: 2 }
  for (const code of ['refund_left', 'refund_daily_cap']) {
    assert.match(fieldMessage('en', code, facts), /€15\.00/)
    assert.match(fieldMessage('cnr', code, facts), /15,00\u00A0€/)
    assert.match(fieldMessage('en', code, { left: '1500', currency: 'JPY', scale: 0 }), /¥1,500/)
    assert.match(fieldMessage('en', code, { left: '0', currency: 'EUR', scale: 2 }), /€0\.00/)
  }
})
