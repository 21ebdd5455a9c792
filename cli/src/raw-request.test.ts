import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHeaderLines, parseRawRequest } from './raw-request.ts'

const BODY = '{"event":"payment.result",\n\n"a: b":"c"}\n'

for (const [what, text, headers, body] of [
  ['a body alone', BODY, {}, BODY],
  [
    'headers and a body',
    `webhook-id: msg_1\nX-Other:2\n\n${BODY}`,
    { 'webhook-id': 'msg_1', 'x-other': '2' },
    BODY,
  ],
  [
    'a whole request',
    `POST /cb HTTP/1.1\r\nHost: localhost:4000\r\n\r\n${BODY}`,
    { host: 'localhost:4000' },
    BODY,
  ],
  ['headers without a body', 'webhook-id: msg_1', { 'webhook-id': 'msg_1' }, ''],
  ['a header twice', 'a: 1\nA: 2\n\n', { a: ['1', '2'] }, ''],
  ['nothing', '', {}, ''],
  ['a form', 'a=1&b=2', {}, 'a=1&b=2'],
] as const) {
  test(`${what} is read as what it is, the body byte for byte`, () => {
    assert.deepEqual(parseRawRequest(text), { headers, body })
  })
}

test('lines that are no headers are passed over', () => {
  assert.deepEqual(parseHeaderLines(['webhook-id : msg_1 ', 'nonsense', ': x']), { 'webhook-id': 'msg_1' })
})
