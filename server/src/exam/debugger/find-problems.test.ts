// Why this is long: one table of requests, with the problems that the debugger finds in each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK_EVENTS, signatureProblem } from '@pazar/contract'
import type { Mode, SignatureProblem } from '@pazar/contract'
import { safeVerifyCallback, signCallback, signJwt, signStatusHash, signWebhook } from '@pazar/sdk'
import type { CallbackFacts, JsonObject } from '@pazar/sdk'
import { issueSecret } from '../../secrets/issue.ts'
import { findProblems } from './find-problems.ts'
import type { PastedRequest, ProblemFacts } from './find-problems.ts'

const NOW_SEC = 1_790_000_000
const PROJECT_ID = 'tz4a98xxat96iws9zmbrgj3a'
const secrets = { live: issueSecret('live'), test: issueSecret('test') }
const ID = 'msg_0199f00000007000800000000000000a'

const FACTS: CallbackFacts = {
  status: 'success',
  projectId: PROJECT_ID,
  transactionId: '0199f000-0000-7000-8000-000000000001',
  amount: '1500',
  currency: 'EUR',
  customId: 'order-7',
  data: 'Narudžba "7" / ☕',
  mode: 'test',
  createdAt: '2026-09-21T14:13:20.000Z',
}

type Request = Omit<PastedRequest, 'headers'> & { headers: Record<string, string> }

function sign(facts: Partial<CallbackFacts> = {}, secret?: string, nowSec = NOW_SEC): Request {
  const all = { ...FACTS, ...facts }
  const signed = signCallback(all, { secret: secret ?? secrets[all.mode], id: ID, nowSec })
  return { headers: { ...signed.headers }, body: signed.body, mode: all.mode }
}

function signText(body: string, secret = secrets.test): Request {
  return { headers: signWebhook({ id: ID, timestampSec: NOW_SEC, body, secret }), body, mode: 'test' }
}

const valid = sign()
const mac = valid.headers['webhook-signature']!.slice('v1,'.length)
const macBytes = Buffer.from(mac, 'base64')

function withHeaders(change: Record<string, string | undefined>, request = valid): Request {
  const headers = Object.entries({ ...request.headers, ...change })
  const present = headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...request, headers: Object.fromEntries(present) }
}

function withSignature(signature: string, request = valid): Request {
  return withHeaders({ 'webhook-signature': signature }, request)
}

function withFields(change: Record<string, unknown>, request = valid): Request {
  const body = { ...(JSON.parse(request.body) as object), ...change }
  return { ...request, body: JSON.stringify(body) }
}

function inspect(request: PastedRequest): Promise<ProblemFacts[]> {
  return findProblems(request, { projectId: PROJECT_ID, secrets, nowSec: NOW_SEC })
}

function reorder(body: string): string {
  const { hash, ...rest } = JSON.parse(body) as Record<string, unknown>
  return JSON.stringify({ hash, ...rest })
}

/** The request is signed with a secret that lacks its prefix. Everything else is correct. */
function signCut(): Request {
  const withoutPrefix = secrets.test.slice('sk_test_'.length)
  const { hash: _hash, ...fields } = JSON.parse(valid.body) as Record<string, string>
  const hash = signJwt({ ...fields, iat: NOW_SEC, jti: ID }, withoutPrefix)
  return signText(JSON.stringify({ ...fields, hash }), withoutPrefix)
}

const oldSecret = issueSecret('test')
const otherRequest = sign({ transactionId: 'another', amount: '99' })
const hashOf = ({ body }: Request) => (JSON.parse(body) as { hash: string }).hash
const prettyBody = JSON.stringify(JSON.parse(valid.body), null, 2)
const asciiBody = valid.body.replaceAll(/[^\p{ASCII}]/gu, (char) => {
  return `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`
})

function readAs(encoding: 'latin1' | 'windows-1252'): string {
  const sent = Buffer.from(valid.body)
  return encoding === 'latin1' ? sent.toString('latin1') : new TextDecoder(encoding).decode(sent)
}

const NO_PAYMENT = { status: undefined, successful: undefined }
const REFUND = {
  ...NO_PAYMENT,
  event: 'refund.result',
  refundStatus: 'succeeded',
  refundId: 're_0199f00000007000800000000000000b',
  refundedTotal: '1500',
}
const DISPUTE = {
  ...NO_PAYMENT,
  event: 'dispute.opened',
  disputeStatus: 'open',
  disputeId: 'dp_0199f00000007000800000000000000c',
  respondBy: '2026-10-01T00:00:00.000Z',
}

const CASES: [what: string, request: PastedRequest, found: SignatureProblem[]][] = [
  ['a valid request', valid, []],
  ['a valid live request', sign({ mode: 'live' }), []],
  ['a valid failed payment', sign({ status: 'fail', failureCode: 'declined' }), []],
  [
    'a request with header names in capitals',
    { ...valid, headers: mapNames(valid.headers, (name) => name.toUpperCase()) },
    [],
  ],
  ['a request with spaces around the header values', { ...valid, headers: mapValues(valid.headers) }, []],
  [
    'a request with a second signature that was made with another secret',
    withSignature(`v1,${'A'.repeat(43)}= v1,${mac}`),
    [],
  ],
  ['a request with a second signature of another scheme', withSignature(`v1a,xyz v1,${mac}`), []],

  ['a request without an id', withHeaders({ 'webhook-id': undefined }), ['missing_header']],
  ['a request without a timestamp', withHeaders({ 'webhook-timestamp': '' }), ['missing_header']],
  [
    'a request without headers',
    { ...valid, headers: {} },
    ['missing_header', 'missing_header', 'missing_header'],
  ],
  [
    'a request with a repeated header',
    { ...valid, headers: { ...valid.headers, 'Webhook-Id': 'msg_2' } },
    ['repeated_header'],
  ],
  [
    'a request with a header as a list',
    { ...valid, headers: { ...valid.headers, 'webhook-id': [ID, ID] } },
    ['repeated_header'],
  ],
  ['an id in quotes and with a space', withHeaders({ 'webhook-id': `"${ID} "` }), ['id_unreadable']],
  ['a request with the id of another request', withHeaders({ 'webhook-id': 'msg_2' }), ['id_changed']],

  [
    'a time in milliseconds',
    withHeaders({ 'webhook-timestamp': `${NOW_SEC}000` }),
    ['timestamp_milliseconds'],
  ],
  [
    'a time in the form of a date',
    withHeaders({ 'webhook-timestamp': '2026-09-21T14:13:20Z' }),
    ['timestamp_unreadable'],
  ],
  [
    'a request whose time was changed',
    withHeaders({ 'webhook-timestamp': String(NOW_SEC + 1) }),
    ['timestamp_changed'],
  ],
  ['a request that was signed an hour ago', sign({}, secrets.test, NOW_SEC - 3600), ['timestamp_stale']],
  ['a request that was signed five minutes ago', sign({}, secrets.test, NOW_SEC - 300), []],
  ['a request whose time is ten minutes ahead', sign({}, secrets.test, NOW_SEC + 600), ['timestamp_early']],

  ['a signature without a version', withSignature(mac), ['signature_no_version']],
  [
    'a signature in base64url',
    withSignature(`v1,${macBytes.toString('base64url')}`),
    ['signature_base64url'],
  ],
  ['a signature in hexadecimal', withSignature(`v1,${macBytes.toString('hex')}`), ['signature_hex']],
  [
    'a signature in capital hexadecimal digits without a version',
    withSignature(macBytes.toString('hex').toUpperCase()),
    ['signature_no_version', 'signature_hex'],
  ],
  [
    'a signature in base64 of hexadecimal digits',
    withSignature(`v1,${Buffer.from(macBytes.toString('hex')).toString('base64')}`),
    ['signature_base64_of_hex'],
  ],
  ['a signature in quotes', withSignature(`v1,"${mac}"`), ['signature_not_canonical']],
  ['an empty signature', withSignature('v1,'), ['signature_unreadable']],
  ['half a signature', withSignature(`v1,${mac.slice(0, 20)}`), ['signature_unreadable']],
  ['only a signature of another scheme', withSignature('v1a,abcdef'), ['signature_unreadable']],
  [
    'the signature of another request',
    withSignature(otherRequest.headers['webhook-signature']!),
    ['signature_of_another'],
  ],

  ['a test request that is checked in live mode', { ...valid, mode: 'live' }, ['wrong_mode']],
  [
    'a live request that is checked in test mode',
    { ...sign({ mode: 'live' }), mode: 'test' },
    ['wrong_mode'],
  ],
  ['a request that was signed with an old secret', sign({}, oldSecret), ['wrong_secret']],
  [
    'a request that was signed with the secret, but without the prefix of the secret',
    signCut(),
    ['secret_without_prefix'],
  ],
  [
    'a request that was signed with the secret of the other mode, but without the prefix of the secret',
    { ...signCut(), mode: 'live' },
    ['secret_without_prefix', 'wrong_mode'],
  ],

  ['a request without a body', { ...valid, body: '' }, ['body_empty']],
  ['a body of spaces', { ...valid, body: ' \n' }, ['body_empty']],
  ['a line break after the body', { ...valid, body: `${valid.body}\n` }, ['body_line_break']],
  [
    // A slow removal of the white space around the body would exceed the time limit of the test.
    'a body with a million spaces inside',
    { ...valid, body: valid.body.replace('{', `{${' '.repeat(1_000_000)}`) },
    ['body_rewritten'],
  ],
  ['a byte order mark before the body', { ...valid, body: `\uFEFF${valid.body}` }, ['body_encoding']],
  [
    'a byte order mark and a line break',
    { ...valid, body: `\uFEFF${valid.body}\r\n` },
    ['body_encoding', 'body_line_break'],
  ],
  ['a body read as Latin-1', { ...valid, body: readAs('latin1') }, ['body_encoding']],
  ['a body read as Windows-1252', { ...valid, body: readAs('windows-1252') }, ['body_encoding']],
  [
    'a body written in Latin-1 and read as UTF-8',
    { ...valid, body: valid.body.replaceAll(/[^\p{ASCII}]/gu, '\uFFFD') },
    ['body_encoding'],
  ],
  [
    'a body with ? in place of every letter outside ASCII',
    { ...valid, body: valid.body.replaceAll(/[^\p{ASCII}]/gu, '?') },
    ['body_encoding'],
  ],
  [
    'a body with one letter replaced by another',
    { ...valid, body: valid.body.replace('ž', 'č') },
    ['body_changed'],
  ],
  [
    'a body with another amount and lost letters',
    { ...valid, body: valid.body.replace('ž', '\uFFFD').replace('1500', '1') },
    ['body_changed'],
  ],
  ['a body with added white space', { ...valid, body: prettyBody }, ['body_rewritten']],
  ['a body with its letters escaped', { ...valid, body: asciiBody }, ['body_rewritten']],
  [
    'a body with its slashes escaped',
    { ...valid, body: valid.body.replaceAll('/', '\\/') },
    ['body_rewritten'],
  ],
  ['a body with its fields in another order', { ...valid, body: reorder(valid.body) }, ['body_rewritten']],
  ['a body with another amount', withFields({ amount: '1' }), ['body_changed']],
  ['a body with an added field', withFields({ note: 'x' }), ['body_changed']],
  ['a body with a removed field', withFields({ customId: undefined }), ['body_changed']],
  ['a body that is not JSON', { ...valid, body: 'status=success' }, ['body_not_json']],
  ['JSON that names a field twice', { ...valid, body: '{"a":1,"a":2}' }, ['body_not_json']],
  [
    'a test request that has a changed amount and a hexadecimal signature and is checked in live mode',
    {
      ...withSignature(`v1,${macBytes.toString('hex')}`, withFields({ amount: '1' })),
      mode: 'live',
    },
    ['wrong_mode', 'signature_hex', 'body_changed'],
  ],

  ['signed text that is not JSON', signText('hello'), ['body_not_json']],
  ['a signed object that is not a callback', signText('{"hash":"x"}'), ['not_a_callback']],
  ['a refund', signEvent(REFUND), []],
  ['a failed refund', signEvent({ ...REFUND, refundStatus: 'failed', refundedTotal: '0' }), []],
  ['a dispute', signEvent(DISPUTE), []],
  ['the end of a dispute', signEvent({ ...DISPUTE, event: 'dispute.closed', disputeStatus: 'lost' }), []],
  ['a refund in the other mode', { ...signEvent(REFUND), mode: 'live' }, ['wrong_mode']],
  ['a refund with another amount', withFields({ amount: '1' }, signEvent(REFUND)), ['body_changed']],
  ['a refund of another project', signEvent({ ...REFUND, projectId: 'another' }), ['wrong_project']],
  ['a refund with the status of a payment', signEvent({ ...REFUND, status: 'success' }), ['event_fields']],
  ['a payment with the event name of a refund', signEvent({ event: 'refund.result' }), ['event_fields']],
  ['an event that we never send', signEvent({ event: 'order.shipped' }), ['event_unknown']],
  ['an event that is not a string', signEvent({ event: 7 }), ['not_a_callback']],
  ['a callback without a hash', signWithHash(undefined), ['hash_missing']],
  [
    'a changed callback without a hash',
    { ...signWithHash(undefined), body: '{"a":1}' },
    ['hash_missing', 'wrong_secret'],
  ],
  ['a hash that was made with another secret', signWithHash(hashOf(sign({}, oldSecret))), ['hash_changed']],
  ['the hash of another body', signWithHash(hashOf(otherRequest)), ['hash_of_another_body']],
  [
    'the hash of a status check',
    signWithHash(signStatusHash({ projectId: PROJECT_ID, customId: 'order-7' }, secrets.test)),
    ['hash_of_another_body'],
  ],
  ['a live body that is signed with the test secret', signLabelled('live'), ['wrong_label']],
  ['a callback of another project', sign({ projectId: 'another' }), ['wrong_project']],
  [
    'a callback of another project that was signed an hour ago',
    sign({ projectId: 'another' }, secrets.test, NOW_SEC - 3600),
    ['timestamp_stale', 'wrong_project'],
  ],
]

function mapNames(headers: Record<string, string>, change: (name: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))
}

function mapValues(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, ` ${value} `]))
}

function signWithHash(hash: string | undefined): Request {
  return signText(withFields({ hash }).body)
}

function signLabelled(mode: Mode): Request {
  const { hash: _hash, ...fields } = JSON.parse(valid.body) as Record<string, string>
  const all = { ...fields, mode }
  return signText(JSON.stringify({ ...all, hash: signJwt({ ...all, iat: NOW_SEC, jti: ID }, secrets.test) }))
}

/** The body of the valid request with changed fields. It is signed correctly. `undefined` removes a field. */
function signEvent(change: Record<string, unknown>): Request {
  const { body } = withFields({ ...change, hash: undefined })
  const hash = signJwt({ ...(JSON.parse(body) as JsonObject), iat: NOW_SEC, jti: ID }, secrets.test)
  return signText(`${body.slice(0, -1)},"hash":"${hash}"}`)
}

for (const [caseName, request, found] of CASES) {
  test(`the debugger finds ${found.join(' and ') || 'no problem'} in ${caseName}`, async () => {
    assert.deepEqual(
      (await inspect(request)).map(({ code }) => code),
      found,
    )
  })
}

test('the debugger finds no problem exactly when the SDK’s check accepts the request', async () => {
  for (const [caseName, { headers, body, mode }, found] of CASES) {
    // HTTP removes spaces around a header value, so they never reach the merchant's code.
    const trimmed = Object.entries(headers).map(([name, value]) => [
      name,
      [value].flat().map((one) => one.trim()),
    ])
    const verified = await safeVerifyCallback(body, Object.fromEntries(trimmed), {
      secret: secrets[mode],
      projectId: PROJECT_ID,
      expectedAmount: ({ amount }) => amount,
      nowSec: NOW_SEC,
      events: CALLBACK_EVENTS,
    })
    assert.equal(verified.ok, found.length === 0, caseName)
  }
})

test('CASES has every problem of the contract', () => {
  const found = new Set(CASES.flatMap(([, , problems]) => problems))
  assert.deepEqual(
    signatureProblem.options.filter((code) => !found.has(code)),
    [],
  )
})

test('a problem names the header, the secret, the age or the fields that it is about', async () => {
  assert.deepEqual(await inspect(withHeaders({ 'webhook-timestamp': undefined })), [
    { code: 'missing_header', header: 'webhook-timestamp' },
  ])
  assert.deepEqual(await inspect({ ...valid, mode: 'live' }), [{ code: 'wrong_mode', signedWith: 'test' }])
  assert.deepEqual(await inspect(sign({}, secrets.test, NOW_SEC - 3600)), [
    { code: 'timestamp_stale', ageSec: 3600 },
  ])
  assert.deepEqual(await inspect(withFields({ amount: '1', customId: 'order-8' })), [
    { code: 'body_changed', fields: ['amount', 'customId'] },
  ])
})

test('only a few names of changed fields are shown, and long names are cut', async () => {
  const manyFields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}-${'x'.repeat(500)}`, 1]))
  const [problem] = await inspect(withFields(manyFields))
  assert.equal(problem?.fields?.length, 5)
  for (const field of problem?.fields ?? []) assert.ok(field.length <= 40)
})

const FIELDS = [
  ...['projectId', 'transactionId', 'amount', 'currency', 'customId', 'data', 'mode', 'createdAt'],
  ...['failureCode', 'status', 'successful', 'refundStatus', 'refundId', 'refundedTotal', 'disputeStatus'],
  ...['disputeId', 'respondBy'],
]
const VALUES = [undefined, '', 'x', 0, null, '0', true]

test('fields are named as wrong exactly when the SDK refuses the body as malformed', async () => {
  const events = [{}, REFUND, DISPUTE, { ...DISPUTE, event: 'dispute.closed' }]
  for (const event of events)
    for (const field of FIELDS)
      for (const value of VALUES) {
        const request = signEvent({ ...event, [field]: value })
        const options = { secret: secrets.test, nowSec: NOW_SEC, events: CALLBACK_EVENTS }
        const verified = await safeVerifyCallback(request.body, request.headers, {
          ...options,
          expectedAmount: ({ amount }) => amount,
        })
        const isMalformed = !verified.ok && verified.reason === 'malformed'
        const found = await inspect(request)
        const namedFields = found.find(({ code }) => code === 'event_fields')?.fields ?? []
        const caseName = `${JSON.stringify(event)} ${field} ${JSON.stringify(value)}`
        assert.equal(isMalformed, namedFields.length > 0, caseName)
        if (isMalformed)
          assert.ok(namedFields.includes(field) || field === 'status', `${caseName}: ${namedFields.join()}`)
      }
})
