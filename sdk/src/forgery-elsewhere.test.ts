// Tests forgeries with our verifier and with libraries that merchants may use instead. Other spellings of a valid signature
// are tested only with our verifier (jwt-forgery.test.ts, webhook.test.ts), because some libraries accept them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { Webhook } from 'standardwebhooks'
import { countRounds } from '../../server/test/counts.ts'
import { encodeBase64url, signParts, TEST_SECRET } from '../test/forge.ts'
import { signJwt, verifyJwt } from './jwt.ts'
import { signWebhook, verifyWebhook } from './webhook.ts'

// The official library of Standard Webhooks uses the real clock.
const NOW_SEC = Math.floor(Date.now() / 1000)

async function isAccepted(verify: () => unknown): Promise<boolean> {
  try {
    await verify()
    return true
  } catch {
    // Each library has its own errors.
    return false
  }
}

const splice = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.nat(3),
  put: fc
    .array(fc.constantFrom('.', '=', ' ', ',', '+', '/', '-', '_', 'A', 'e', 'z', '0', '9', 'é', '"', '}'), {
      maxLength: 3,
    })
    .map((parts) => parts.join('')),
})
type Splice = typeof splice extends fc.Arbitrary<infer T> ? T : never

function applySplice(text: string, { at, drop, put }: Splice): string {
  const from = Math.round(at * text.length)
  return text.slice(0, from) + put + text.slice(from + drop)
}

const claims = { projectId: 'p', customId: 'order-7', amount: '1500' }
const token = signJwt(claims, TEST_SECRET)
const [header = '', payload = '', signature = ''] = token.split('.')
const signatureBytes = Buffer.from(signature, 'base64url')

const forgedToken = fc.oneof(
  fc.array(splice, { minLength: 1, maxLength: 3 }).map((list) => list.reduce(applySplice, token)),
  fc
    .record({ customId: fc.string(), amount: fc.nat().map(String) })
    .map((extra) => `${header}.${encodeBase64url(JSON.stringify({ ...claims, ...extra }))}.${signature}`),
  fc
    .constantFrom('', 'secret', 'x'.repeat(64), TEST_SECRET.slice(0, -1), TEST_SECRET.toUpperCase(), header)
    .map((key) => signParts(header, payload, key)),
  fc
    .tuple(fc.constantFrom('none', 'None', 'HS384', 'HS512', 'RS256', 'hs256', ''), fc.boolean())
    .map(
      ([alg, hasSignature]) =>
        `${encodeBase64url(JSON.stringify({ alg, typ: 'JWT' }))}.${payload}.${hasSignature ? signature : ''}`,
    ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `${header}.${payload}.${encodeBase64url(bytes)}`),
)

function isSameToken(forged: string): boolean {
  const [theirHeader, theirPayload, theirSignature = ''] = forged.split('.')
  const isSameText = theirHeader === header && theirPayload === payload
  return isSameText && Buffer.from(theirSignature, 'base64url').equals(signatureBytes)
}

const TOKEN_VERIFIERS: Readonly<Record<string, (forged: string) => unknown>> = {
  ours: (forged) => assert.ok(verifyJwt(forged, TEST_SECRET, { nowSec: NOW_SEC }).ok),
  jose: (forged) => jwtVerify(forged, Buffer.from(TEST_SECRET), { algorithms: ['HS256'] }),
  jsonwebtoken: (forged) => jsonwebtoken.verify(forged, TEST_SECRET, { algorithms: ['HS256'] }),
}

test('the original token is valid for us, for jose and for jsonwebtoken', async () => {
  for (const [library, verify] of Object.entries(TOKEN_VERIFIERS))
    assert.equal(await isAccepted(() => verify(token)), true, library)
})

test('no forged token is accepted by us, by jose or by jsonwebtoken', async (t) => {
  let checkedCount = 0
  const rounds = countRounds('forgeries', t)
  await fc.assert(
    fc.asyncProperty(forgedToken, async (forged) => {
      if (isSameToken(forged)) return
      checkedCount += 1
      for (const [library, verify] of Object.entries(TOKEN_VERIFIERS))
        assert.equal(await isAccepted(() => verify(forged)), false, `${library}: ${forged}`)
    }),
    { numRuns: rounds },
  )
  t.diagnostic(`${checkedCount} forged tokens, each at three verifiers`)
  assert.ok(checkedCount > rounds / 2)
})

const body = JSON.stringify({ event: 'payment.result', amount: '1500', data: 'Narudžba 7' })
const message = { id: 'msg_0190a1b2', timestampSec: NOW_SEC, body, secret: TEST_SECRET }
const signed = signWebhook(message)
const signedRequest = [
  body,
  signed['webhook-id'],
  signed['webhook-timestamp'],
  signed['webhook-signature'],
] as const
type Request = readonly [body: string, id: string, timestamp: string, list: string]

function withPart(part: number, text: string): Request {
  const pick = (index: 0 | 1 | 2 | 3) => (index === part ? text : signedRequest[index])
  return [pick(0), pick(1), pick(2), pick(3)]
}

const forgedRequest: fc.Arbitrary<Request> = fc.oneof(
  fc
    .tuple(fc.nat(3), splice)
    .map(([part, change]) => withPart(part, applySplice(signedRequest[part]!, change))),
  fc.nat().map((amount) => withPart(0, JSON.stringify({ event: 'payment.result', amount: String(amount) }))),
  fc.integer({ min: -400, max: 400 }).map((offsetSec) => withPart(2, String(NOW_SEC + offsetSec))),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => withPart(3, `v1,${Buffer.from(bytes).toString('base64')}`)),
  fc.constantFrom('', 'v1,', 'v1', 'v2,', ',', ' ').map((list) => withPart(3, list)),
  fc.uint8Array({ minLength: 32, maxLength: 64 }).map((key) => {
    const secret = Buffer.from(key).toString('hex')
    return withPart(3, signWebhook({ ...message, secret })['webhook-signature'])
  }),
)

/**
 * True if a tolerant library would read the original request. Such a library reads only the leading digits of the
 * timestamp, and only the first two parts of each entry of the signature list.
 */
function isSameRequest([theirBody, id, timestamp, list]: Request): boolean {
  const isListed = list
    .split(' ')
    .some((entry) => entry.split(',').slice(0, 2).join(',') === signed['webhook-signature'])
  return theirBody === body && id === message.id && Number.parseInt(timestamp, 10) === NOW_SEC && isListed
}

function toHeaders([, id, timestamp, list]: Request): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list }
}

const official = new Webhook(TEST_SECRET, { format: 'raw' })
const WEBHOOK_VERIFIERS: Readonly<Record<string, (forged: Request) => unknown>> = {
  ours: (forged) =>
    assert.ok(verifyWebhook(forged[0], toHeaders(forged), { secret: TEST_SECRET, nowSec: NOW_SEC }).ok),
  standardwebhooks: (forged) => official.verify(forged[0], toHeaders(forged)),
}

test('the original request is valid for us and for the official library', async () => {
  for (const [library, verify] of Object.entries(WEBHOOK_VERIFIERS))
    assert.equal(await isAccepted(() => verify(signedRequest)), true, library)
})

test('no forged request is accepted by us or by the official library', async (t) => {
  let checkedCount = 0
  const rounds = countRounds('forgeries', t)
  await fc.assert(
    fc.asyncProperty(forgedRequest, async (forged) => {
      if (isSameRequest(forged)) return
      checkedCount += 1
      for (const [library, verify] of Object.entries(WEBHOOK_VERIFIERS))
        assert.equal(await isAccepted(() => verify(forged)), false, `${library}: ${JSON.stringify(forged)}`)
    }),
    { numRuns: rounds },
  )
  t.diagnostic(`${checkedCount} forged requests, each at two verifiers`)
  assert.ok(checkedCount > rounds / 2)
})
