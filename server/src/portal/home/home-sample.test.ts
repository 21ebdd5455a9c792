import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHomeSample } from './home-sample.ts'

/** A phone with a width of 360 pixels shows this many characters per line. */
const PHONE_LINE_MAX = 36

test('on a phone every line of the sample is short enough not to wrap', () => {
  const shown = readHomeSample()
    .text.replaceAll(/ ?<i data-indent="( *)"><\/i>/g, '\n$1')
    .replaceAll(/<i data-more="( *)"><\/i>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#?\w+;/g, '_')
  const tooLong = shown.split('\n').filter((line) => line.length > PHONE_LINE_MAX)
  assert.deepEqual(tooLong, [])
  assert.match(
    shown,
    /\n {4}await safeVerifyCallback\(\n {6}body, request\.headers, \{\n {6}secret,\n {6}expectedAmount:\n {8}\(/,
  )
})
