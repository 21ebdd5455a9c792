import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameName } from './same-name.ts'

test('a name typed on a phone is the same without its quotation marks and capitals', () => {
  const name = 'Knjižara „Šćepan Zanović“, Budva'
  for (const typed of [
    name,
    ` ${name} `,
    'knjižara šćepan zanović budva',
    'Knjižara "Šćepan Zanović" Budva',
  ]) {
    assert.ok(isSameName(typed, name), typed)
  }
})

test('another name, a part of it or nothing at all is not the same', () => {
  for (const typed of ['', 'Knjižara', 'Knjižara Budva', '„“']) {
    assert.ok(!isSameName(typed, 'Knjižara „Budva“ 2'), typed)
  }
})

test('a name without letters has to be typed as it stands', () => {
  assert.ok(isSameName('***', '***'))
  assert.ok(!isSameName('', '***'))
  assert.ok(!isSameName('**', '***'))
})
