import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plural } from './plural.ts'

const FORM_SETS = [
  { one: 'transakcija', few: 'transakcije', other: 'transakcija' },
  { one: 'projekat', few: 'projekta', other: 'projekata' },
  { one: 'pokušaj', few: 'pokušaja', other: 'pokušaja' },
  { one: 'obavještenje', few: 'obavještenja', other: 'obavještenja' },
  { one: 'dan', few: 'dana', other: 'dana' },
  { one: 'red', few: 'reda', other: 'redova' },
]

const NUMBERS_BY_FORM: Record<'one' | 'few' | 'other', number[]> = {
  one: [1, 21, 31, 101, 1001],
  few: [2, 3, 4, 22, 23, 24, 102, 1004],
  other: [0, 5, 6, 9, 10, 11, 12, 13, 14, 15, 20, 25, 100, 111, 112, 1011],
}

test('Montenegrin plurals are one, few or other by the last digits', () => {
  for (const forms of FORM_SETS) {
    for (const form of ['one', 'few', 'other'] as const) {
      for (const n of NUMBERS_BY_FORM[form])
        assert.equal(plural('cnr', n, forms), forms[form], `${n} ${forms.other}`)
    }
  }
})

test('English plurals are singular only for one', () => {
  const forms = { one: 'day', other: 'days' }
  assert.equal(plural('en', 1, forms), 'day')
  for (const n of [0, 2, 5, 21, 101, 111]) assert.equal(plural('en', n, forms), 'days')
})
