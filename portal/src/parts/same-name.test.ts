import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameName } from './same-name.ts'

test('a typed name matches without its quotation marks and capitals', () => {
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

test('a name matches in both of its Unicode forms', () => {
  const name = 'Šćepan'
  assert.ok(isSameName(name, name.normalize('NFD')))
  assert.ok(isSameName(name.normalize('NFD'), name))
  assert.ok(!isSameName('Scepan', name.normalize('NFD')))
})

test('a different name, a part of the name and an empty text do not match', () => {
  for (const typed of ['', 'Knjižara', 'Knjižara Budva', '„“']) {
    assert.ok(!isSameName(typed, 'Knjižara „Budva“ 2'), typed)
  }
})

test('a name without letters and digits must be typed exactly', () => {
  assert.ok(isSameName('***', '***'))
  assert.ok(!isSameName('', '***'))
  assert.ok(!isSameName('**', '***'))
})
