import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutSample, ENDPOINT_COMMANDS, fillSample, SAMPLE_LANGUAGES, toSamplePath } from './code-samples.ts'

test('a sample is cut to the lines between its markers, in any comment syntax', () => {
  for (const mark of ['//', '#', '    //', '--'])
    assert.equal(cutSample(`title\n${mark} region\n\na\n  b\n\n${mark} endregion\nmain()\n`), 'a\n  b\n')
})

test('a sample in PHP or Go begins with the line that its file needs', () => {
  assert.equal(cutSample('<?php\n// title\n// region\na();\n// endregion\n'), '<?php\n\na();\n')
  assert.equal(cutSample('// title\npackage main\n\n// region\na\n// endregion\n'), 'package main\n\na\n')
})

test('a sample with missing or swapped markers is an error', () => {
  for (const text of ['a\n', '# region\na\n', '# endregion\na\n# region\n', '# the region\na\n# endregion\n'])
    assert.throws(() => cutSample(text), /"region"/)
})

test('the reader’s own values replace the placeholders', () => {
  const text = "is_paid('https://pay.example.me', 'YOUR_PROJECT_ID', 'order-7')"
  const ownValues = {
    baseUrl: 'http://localhost:3000',
    projectId: 'tz4a98xxat96iws9zmbrgj3a',
    customId: 'A-1',
  }
  assert.equal(
    fillSample(text, ownValues),
    "is_paid('http://localhost:3000', 'tz4a98xxat96iws9zmbrgj3a', 'A-1')",
  )
  assert.equal(fillSample(text, {}), text)
})

test('an empty value, or one with a character that could break the code, is not filled in', () => {
  for (const customId of ["o'r", 'o"r', 'o\\r', '$(id)', '`id`', '#{id}', 'a b', 'š', ''])
    assert.equal(fillSample('order-7', { customId }), 'order-7', customId)
})

test('each language except the shell has a command that starts its endpoint', () => {
  for (const { id, ending } of SAMPLE_LANGUAGES.filter((one) => one.id !== 'shell'))
    assert.match(ENDPOINT_COMMANDS[id] ?? '', new RegExp(`callback\\.${ending}`), id)
})

test('each of the eight languages has its own path', () => {
  const paths = SAMPLE_LANGUAGES.map(({ id }) => toSamplePath(id, 'check'))
  assert.equal(new Set(paths).size, 8)
  assert.equal(paths[1], 'examples/verify/php/check.php')
})
