import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHeaderLines, parseRawRequest } from './raw-request.ts'

const BODY = '{"event":"payment.result",\n\n"a: b":"c"}\n'

for (const [caseName, text, headers, body] of [
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
  ['a repeated header', 'a: 1\nA: 2\n\n', { a: ['1', '2'] }, ''],
  [
    'a whole request with a byte order mark before it',
    `\uFEFFPOST /cb HTTP/1.1\nwebhook-id: msg_1\n\n${BODY}`,
    { 'webhook-id': 'msg_1' },
    BODY,
  ],
  ['a body with a byte order mark', `\uFEFF${BODY}`, {}, `\uFEFF${BODY}`],
  [
    'output of curl -v',
    `* Connected to localhost\n> POST /cb HTTP/1.1\r\n> Host: localhost:4000\r\n> webhook-id: msg_1\r\n>\r\n${BODY}`,
    { host: 'localhost:4000', 'webhook-id': 'msg_1' },
    BODY,
  ],
  [
    'output of curl -v with log lines and the head of the response before the body',
    `> POST /cb HTTP/2\n> webhook-id: msg_1\n> \n} [5 bytes data]\n* upload done\n< HTTP/2 400\n< content-type: text/plain\n<\n${BODY}`,
    { 'webhook-id': 'msg_1' },
    BODY,
  ],
  [
    'output of curl -v with a body that begins with a brace and a space',
    '> POST /cb HTTP/1.1\n> webhook-id: msg_1\n>\n} [30 bytes data]\n{ "event": "payment.result" }\n',
    { 'webhook-id': 'msg_1' },
    '{ "event": "payment.result" }\n',
  ],
  [
    'output of curl -v without a body',
    '> POST /cb HTTP/1.1\n> webhook-id: msg_1\n>\n',
    { 'webhook-id': 'msg_1' },
    '',
  ],
  [
    'an HTTP/2 request',
    `:method: POST\n:path: /cb\n:authority: localhost:4000\nwebhook-id: msg_1\n\n${BODY}`,
    { 'webhook-id': 'msg_1' },
    BODY,
  ],
  ['an empty text', '', {}, ''],
  ['a form', 'a=1&b=2', {}, 'a=1&b=2'],
] as const) {
  test(`parseRawRequest parses ${caseName}`, () => {
    assert.deepEqual(parseRawRequest(text), { headers, body })
  })
}

test('lines that are not headers are skipped', () => {
  assert.deepEqual(parseHeaderLines(['webhook-id : msg_1 ', 'nonsense', ': x']), { 'webhook-id': 'msg_1' })
})

test('headers that are named “constructor”, “toString” or “__proto__” have only the values that were sent', () => {
  const lines = ['constructor: x', 'toString: y', 'tostring: z', '__proto__: w', 'webhook-id: msg_1']
  const expected = '{"constructor":"x","tostring":["y","z"],"webhook-id":"msg_1"}'
  assert.equal(JSON.stringify(parseHeaderLines(lines)), expected)
})
