import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStatementSuffix } from './statement-suffix.ts'

test('a name is shortened to at most ten plain characters', () => {
  assert.equal(toStatementSuffix('Knjižara Šćepan'), 'Knjizara S')
  assert.equal(toStatementSuffix('Đurđevak d.o.o.'), 'Durdevak d')
  assert.equal(toStatementSuffix('Bar "Mol" <3 * \\'), 'Bar Mol 3')
  assert.equal(toStatementSuffix('Pekara 4 & sin'), 'Pekara 4 s')
})

test('letters such as Đ and æ, which Unicode does not split into a plain letter and a mark, are replaced by plain letters; capitals stay capitals', () => {
  const all = ['ĐđÐð', 'ŁłØøǾ', 'ÆæǼŒœ', 'ßẞÞþ', 'ĦħŦŧŊŋ', 'ƏəIıĲĳ', 'ǄǅǆǇǉǊǌ']
  const plain = ['DdDd', 'LlOoO', 'AEaeAEOEoe', 'ssSSTHth', 'HhTtNn', 'EeIiIJij', 'DZDZdzLJlj']
  assert.deepEqual(all.map(toStatementSuffix), plain)
  assert.equal(toStatementSuffix('Ægir'), 'AEgir')
  assert.equal(toStatementSuffix('Ø'), 'O')
})

test('a name without a Latin letter has no suffix', () => {
  for (const name of ['Пекара', '1234', '***', '—']) assert.equal(toStatementSuffix(name), null, name)
})
