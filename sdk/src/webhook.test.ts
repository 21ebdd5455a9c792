import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { countRounds } from '../../server/test/counts.ts'
import { LIVE_SECRET, NOW_SEC, TEST_SECRET } from '../test/forge.ts'
import { createMacText } from './mac.ts'
import { SecretError } from './secret.ts'
import { signWebhook, verifyWebhook } from './webhook.ts'
import type { HeaderSource } from './headers.ts'

const body = '{"event":"payment.result","data":"Narudžba 7"}'
const message = { id: 'msg_0190a1b2', timestampSec: NOW_SEC, body, secret: TEST_SECRET }
const headers = signWebhook(message)
const signature = headers['webhook-signature']

function outcome(headerSource: HeaderSource, rawBody: string | Uint8Array = body, nowSec = NOW_SEC): string {
  const result = verifyWebhook(rawBody, headerSource, { secret: TEST_SECRET, nowSec })
  return result.ok ? 'ok' : result.reason
}

test('the three headers of the standard verify a body as text and as bytes', () => {
  assert.deepEqual(Object.keys(headers), ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  assert.match(signature, /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(verifyWebhook(body, headers, { secret: TEST_SECRET, nowSec: NOW_SEC }), {
    ok: true,
    id: 'msg_0190a1b2',
    timestampSec: NOW_SEC,
  })
  assert.equal(outcome(headers, Buffer.from(body)), 'ok')
  assert.equal(outcome(headers, new TextEncoder().encode(body)), 'ok')
})

test('the official library of Standard Webhooks accepts what we sign, with the secret as raw key', () => {
  const nowSec = Math.floor(Date.now() / 1000)
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const json = JSON.stringify(value)
      const ours = signWebhook({ ...message, timestampSec: nowSec, body: json })
      const theirs = new Webhook(TEST_SECRET, { format: 'raw' })
      assert.deepEqual(theirs.verify(json, ours), JSON.parse(json))
      assert.throws(() => theirs.verify(`${json} `, ours))
    }),
    { numRuns: 200 },
  )
})

test('we accept what the official library signs, even with a non-ASCII secret', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(TEST_SECRET, 'šđčćž'.repeat(8)),
      (text, secret) => {
        const theirs = new Webhook(new TextEncoder().encode(secret), { format: 'raw' })
        const theirHeaders = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(NOW_SEC),
          'webhook-signature': theirs.sign('msg_1', new Date(NOW_SEC * 1000), text),
        }
        assert.equal(verifyWebhook(text, theirHeaders, { secret, nowSec: NOW_SEC }).ok, true)
      },
    ),
    { numRuns: 200 },
  )
})

test('headers are accepted with upper-case names, as one-element lists, and as a Headers object', () => {
  assert.equal(outcome(new Headers(headers)), 'ok')
  const upperCaseHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  assert.equal(outcome(upperCaseHeaders), 'ok')
})

test('a missing or repeated header is refused', () => {
  const map = new Map(Object.entries(headers))
  assert.equal(outcome(map), 'ok')
  const lists = new Map<string, string[]>(Object.entries(headers).map(([name, value]) => [name, [value]]))
  assert.equal(outcome(lists), 'ok')
  assert.equal(outcome(lists.set('webhook-id', ['msg_1', 'msg_1'])), 'bad_signature')
  assert.equal(outcome(new Map<string, string>()), 'bad_signature')
  for (const name of Object.keys(headers)) {
    assert.equal(outcome({ ...headers, [name]: undefined }), 'bad_signature', `${name} missing`)
    assert.equal(outcome({ ...headers, [name]: '' }), 'bad_signature', `${name} empty`)
    assert.equal(outcome({ ...headers, [name.toUpperCase()]: 'x' }), 'bad_signature', `${name} twice`)
    assert.equal(outcome({ ...headers, [name]: [signature, signature] }), 'bad_signature', `${name} a list`)
    const withoutHeader = new Headers(headers)
    withoutHeader.delete(name)
    assert.equal(outcome(withoutHeader), 'bad_signature', `${name} missing in Headers`)
    const withTwoHeaders = new Headers(headers)
    withTwoHeaders.append(name, 'x')
    assert.equal(outcome(withTwoHeaders), 'bad_signature', `${name} twice in Headers`)
  }
  assert.equal(outcome({}), 'bad_signature')
})

test('a list of signatures is valid if one v1 entry matches and the list is not too long', () => {
  const otherSignature = signWebhook({ ...message, secret: LIVE_SECRET })['webhook-signature']
  const verifyList = (list: string) => outcome({ ...headers, 'webhook-signature': list })
  assert.equal(verifyList(`${otherSignature} ${signature}`), 'ok')
  assert.equal(verifyList(`v1a,abc ${signature} v2,def`), 'ok')
  assert.equal(verifyList(`${otherSignature} ${otherSignature}`), 'bad_signature')
  assert.equal(verifyList(`v2,${signature.slice(3)}`), 'bad_signature')
  assert.equal(verifyList(`${`${otherSignature} `.repeat(100)}${signature}`), 'bad_signature')
})

test('a signature cut to 0..31 bytes, lengthened or respelled is refused without throwing', () => {
  const encoded = signature.slice(3)
  const bytes = Buffer.from(encoded, 'base64')
  const invalidSignatures = [
    '',
    'v1',
    'v1,',
    'v1,=',
    encoded,
    `V1,${encoded}`,
    `v1:${encoded}`,
    `v1, ${encoded}`,
    `v1,${encoded},x`,
  ]
  for (let length = 0; length < 32; length++)
    invalidSignatures.push(`v1,${bytes.subarray(0, length).toString('base64')}`)
  invalidSignatures.push(
    `v1,${Buffer.concat([bytes, bytes]).toString('base64')}`,
    `v1,${bytes.toString('hex')}`,
  )
  invalidSignatures.push(
    `v1,${bytes.toString('base64url')}`,
    `v1,${encoded}=`,
    `v1,${encoded}\n`,
    `v1,${encoded.slice(0, -1)}`,
  )
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const respelled = Array.from(alphabet, (char) => `${encoded.slice(0, 42)}${char}=`).filter(
    (other) => other !== encoded && Buffer.from(other, 'base64').equals(bytes),
  )
  assert.equal(respelled.length, 3)
  for (const text of [...invalidSignatures, ...respelled.map((other) => `v1,${other}`)]) {
    assert.equal(outcome({ ...headers, 'webhook-signature': text }), 'bad_signature', text)
  }
})

test('a changed body, id, timestamp or secret is refused', () => {
  assert.equal(outcome(headers, `${body} `), 'bad_signature')
  assert.equal(outcome(headers, ''), 'bad_signature')
  assert.equal(outcome({ ...headers, 'webhook-id': 'msg_0190a1b3' }), 'bad_signature')
  assert.equal(outcome({ ...headers, 'webhook-timestamp': String(NOW_SEC + 1) }), 'bad_signature')
  assert.equal(outcome(signWebhook({ ...message, secret: LIVE_SECRET })), 'bad_signature')
})

test('moving a dot between id, timestamp and body makes the message invalid', () => {
  assert.throws(() => signWebhook({ ...message, id: 'msg.1' }), TypeError)
  const signedHeaders = signWebhook({ ...message, id: 'msg', body: '17.x' })
  const movedHeaders = { ...signedHeaders, 'webhook-id': `msg.${NOW_SEC}`, 'webhook-timestamp': '17' }
  assert.equal(verifyWebhook('x', movedHeaders, { secret: TEST_SECRET, nowSec: 17 }).ok, false)
})

test('a timestamp is accepted 300 s before or after the present time, and refused as expired at 301 s', () => {
  assert.equal(outcome(headers, body, NOW_SEC + 300), 'ok')
  assert.equal(outcome(headers, body, NOW_SEC - 300), 'ok')
  assert.equal(outcome(headers, body, NOW_SEC + 301), 'expired')
  assert.equal(outcome(headers, body, NOW_SEC - 301), 'expired')
  const options = { secret: TEST_SECRET, nowSec: NOW_SEC + 10, toleranceSec: 9 }
  assert.deepEqual(verifyWebhook(body, headers, options), { ok: false, reason: 'expired' })
  for (const notANumber of [{ nowSec: Number.NaN }, { toleranceSec: Number.NaN }]) {
    assert.deepEqual(verifyWebhook(body, headers, { ...options, ...notANumber }), {
      ok: false,
      reason: 'expired',
    })
  }
})

test('a stale message with a wrong signature is refused as bad_signature, not as expired', () => {
  assert.equal(outcome(headers, `${body} `, NOW_SEC + 9999), 'bad_signature')
})

test('a signed timestamp is refused if it begins with a zero or has other characters than digits', () => {
  const sign = (timestamp: string) =>
    `v1,${createMacText(TEST_SECRET, 'base64', `msg_1.${timestamp}.`, body)}`
  const toHeaders = (timestamp: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(timestamp),
  })
  assert.equal(outcome(toHeaders(String(NOW_SEC))), 'ok')
  for (const timestamp of [
    `0${NOW_SEC}`,
    `${NOW_SEC}.0`,
    `+${NOW_SEC}`,
    ` ${NOW_SEC}`,
    '1.79e9',
    'now',
    `${NOW_SEC}x`,
  ]) {
    assert.equal(outcome(toHeaders(timestamp)), 'bad_signature', timestamp)
  }
  for (const timestampSec of [1.5, -1, Number.NaN, Infinity, 1e21]) {
    assert.throws(() => signWebhook({ ...message, timestampSec }), TypeError)
  }
})

test('a key under 32 bytes is refused for signing and verifying, whatever the headers', () => {
  for (const secret of ['', 'x'.repeat(31)]) {
    assert.throws(() => signWebhook({ ...message, secret }), SecretError)
    assert.throws(() => verifyWebhook(body, headers, { secret, nowSec: NOW_SEC }), SecretError)
    assert.throws(() => verifyWebhook(body, {}, { secret, nowSec: NOW_SEC }), SecretError)
  }
})

test('a random change of body or headers is refused', (t) => {
  const parts = [body, headers['webhook-id'], headers['webhook-timestamp'], signature]
  const change = fc.record({
    part: fc.nat(3),
    from: fc.nat(60),
    drop: fc.nat(2),
    put: fc.string({ unit: 'binary-ascii', maxLength: 2 }),
  })
  let checkedCount = 0
  fc.assert(
    fc.property(change, ({ part, from, drop, put }) => {
      const changed = parts.map((text, i) =>
        i === part ? text.slice(0, from) + put + text.slice(from + drop) : text,
      )
      const [changedBody = '', id, timestamp, list = ''] = changed
      if (changed.join('\n') === parts.join('\n')) return
      // An additional entry beside a valid signature leaves the message valid.
      if (part === 3 && list.split(' ').includes(signature)) return
      checkedCount += 1
      const theirHeaders = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list }
      assert.equal(outcome(theirHeaders, changedBody), 'bad_signature')
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(checkedCount > 0)
})
