// The forms in which people paste a request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRequest } from './parse-request.ts'

const BODY = '{"event":"payment.result","data":"webhook-id: x\\n\\ny"}'
const PARTS = { id: 'msg_1', timestamp: '1790000000', signature: 'v1,abc+/=', body: BODY }

const HEADERS = [
  'POST /callback?x=1 HTTP/1.1',
  'Host: shop.example.me:8080',
  'content-type: application/json',
  'Webhook-Id: msg_1',
  'WEBHOOK-TIMESTAMP:1790000000',
  'webhook-signature:  v1,abc+/=  ',
]

const BODY_OBJECT: unknown = JSON.parse(BODY)

const FORMS: [form: string, text: string][] = [
  ['a raw request', [...HEADERS, '', BODY].join('\n')],
  ['a raw request with CRLF line breaks', [...HEADERS, '', BODY].join('\r\n')],
  ['a request after empty lines', ['', ' ', ...HEADERS, '', BODY].join('\n')],
  ['the output of curl', [...HEADERS.map((line) => `> ${line}`), '> ', BODY].join('\n')],
  ['a request without an empty line before its body', [...HEADERS, BODY].join('\n')],
  [
    'JSON with a body as text',
    JSON.stringify({
      mode: 'test',
      headers: {
        'webhook-id': 'msg_1',
        'Webhook-Timestamp': 1_790_000_000,
        'webhook-signature': 'v1,abc+/=',
      },
      body: BODY,
    }),
  ],
  [
    'JSON with a body as an object',
    JSON.stringify({
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1790000000',
        'webhook-signature': 'v1,abc+/=',
      },
      body: BODY_OBJECT,
    }),
  ],
]

for (const [form, text] of FORMS) {
  test(`${form} is parsed`, () => assert.deepEqual(parseRequest(text), PARTS))
}

test('the body keeps every line break, even at its end', () => {
  const text = [...HEADERS, '', '{', '  "a": 1', '}', ''].join('\n')
  assert.equal(parseRequest(text)?.body, '{\n  "a": 1\n}\n')
})

test('a missing part becomes an empty text, and text without a callback header is not a request', () => {
  assert.deepEqual(parseRequest('webhook-id: msg_1'), { id: 'msg_1', timestamp: '', signature: '', body: '' })
  for (const text of ['', BODY, 'hello', 'Host: shop.example.me\n\n{}', '[1]', '{"headers":1}', 'null'])
    assert.equal(parseRequest(text), null, text)
})
