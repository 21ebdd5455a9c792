// Other libraries verify our callbacks, and we verify theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jwtVerify, SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import { PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { safeVerifyCallback, signTestCallback, verifyCallback, verifyStatusHash } from './index.ts'

const KEY = new TextEncoder().encode(TEST_SECRET)
const FACTS = {
  event: 'payment.result',
  status: 'success',
  successful: true,
  projectId: PROJECT_ID,
  transactionId: '0190a1b2-0000-7000-8000-000000000001',
  amount: '1500',
  currency: 'EUR',
  customId: 'narudžba-7',
  data: 'Š "7"\n\u{1F4A7}',
  mode: 'test',
  createdAt: '2026-11-15T14:13:20.000Z',
}

async function signElsewhere(id: string, claims: Record<string, unknown>, secret: string | Uint8Array) {
  const now = new Date()
  const hash = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setJti(id)
    .sign(KEY)
  const body = JSON.stringify({ ...FACTS, hash })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, now, body),
  }
  return { body, headers }
}

test('a callback signed by standardwebhooks and jose is verified by us', async () => {
  const { body, headers } = await signElsewhere('msg_1', FACTS, KEY)
  const options = {
    secret: TEST_SECRET,
    projectId: PROJECT_ID,
    mode: 'test',
    expectedAmount: '1500',
  } as const
  assert.deepEqual(await verifyCallback(body, headers, options), JSON.parse(body))
})

test('a callback signed by other libraries is refused if its signature has another key or another body, or if its hash has other content', async () => {
  const options = { secret: TEST_SECRET, expectedAmount: '1500' }
  const otherKey = `${TEST_SECRET.slice(0, -1)}H`
  for (const { body, headers } of [
    await signElsewhere('msg_1', FACTS, otherKey),
    await signElsewhere('msg_1', { ...FACTS, amount: '1' }, KEY),
    { ...(await signElsewhere('msg_2', FACTS, KEY)), body: (await signElsewhere('msg_1', FACTS, KEY)).body },
  ]) {
    const result = await safeVerifyCallback(body, headers, options)
    assert.equal(result.ok ? 'ok' : result.reason, 'bad_signature')
  }
})

test('a callback signed by us is verified by standardwebhooks, and its hash by jose', async () => {
  const { body, headers } = signTestCallback({
    secret: TEST_SECRET,
    customId: 'narudžba-7',
    data: FACTS.data,
  })
  const verifiedBody = new Webhook(KEY, { format: 'raw' }).verify(body, headers) as { hash: string }
  const { payload } = await jwtVerify(verifiedBody.hash, KEY, { algorithms: ['HS256'] })
  const { hash: _hash, ...facts } = verifiedBody
  const { iat: _iat, jti, ...claims } = payload
  assert.deepEqual(claims, facts)
  assert.equal(jti, headers['webhook-id'])
})

test('a status hash signed by jose is accepted only for its own request', async () => {
  const question = { projectId: PROJECT_ID, customId: 'order-7' }
  const hash = await new SignJWT(question).setProtectedHeader({ alg: 'HS256' }).sign(KEY)
  assert.equal(verifyStatusHash(hash, question, TEST_SECRET, 1), true)
  assert.equal(verifyStatusHash(hash, { ...question, customId: 'order-8' }, TEST_SECRET, 1), false)
})
