import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { before, mock, test } from 'node:test'
import * as fc from 'fast-check'
import { buildPayUrl, signJwt, signPayLink, signStatusHash, signTestCallback, signWebhook } from '@pazar/sdk'
import { encodeBase64url, forgeToken, listRespellings, signParts } from '../../../../sdk/test/forge.ts'
import { Client, signUp } from '../../../test/client.ts'
import type { ClientResponse } from '../../../test/client.ts'
import { countRounds } from '../../../test/counts.ts'
import { startTestService } from '../../../test/harness.ts'
import { addPayProject } from '../../../test/payer.ts'
import type { PayProject } from '../../../test/payer.ts'
import { countRows } from '../../../test/rows.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { sealDecoy } from '../../secrets/decoy.ts'
import { checkStatus } from './status.ts'

const CHECK_STATUS_URL = '/sdk/transaction/checkStatus'
const UNKNOWN_PROJECT = 'abcdefghijklmnopqrstuvwx'

const service = await startTestService()
const { app, deps } = service
const program = new Client(app)
let shop: PayProject
let check: { projectId: string; customId: string }

before(async () => {
  shop = await addPayProject(deps)
  check = { projectId: shop.id, customId: 'paid' }
  await insertPayments(deps, shop.id, [{ customId: 'paid', data: 'Kafa' }])
})

const postHash = (hash: string, body: object = {}): Promise<ClientResponse> =>
  program.post(CHECK_STATUS_URL, { ...check, ...body, hash })

async function assertRefused(hash: string, body: object = {}, why = hash.slice(0, 80)): Promise<void> {
  const response = await postHash(hash, body)
  assert.equal(response.status, 401, `${why}: ${response.text}`)
  assert.equal(response.code, 'invalid_hash', why)
}

test('a hash is refused unless its algorithm is exactly HS256', async () => {
  const payload = JSON.stringify(check)
  const algorithms = [
    'none',
    'None',
    'nOnE',
    'NONE',
    '',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'PS256',
    'hs256',
  ]
  for (const alg of [...algorithms, ['HS256'], null, 1, true, { name: 'HS256' }, undefined]) {
    await assertRefused(forgeToken({ alg }, payload, shop.secrets.live))
    await assertRefused(`${encodeBase64url(JSON.stringify({ alg }))}.${encodeBase64url(payload)}.`)
  }
  await assertRefused(
    signParts(encodeBase64url('{"alg":"HS512"}'), encodeBase64url(payload), shop.secrets.live, 'sha512'),
  )
  await assertRefused(signParts(encodeBase64url('{"alg":"HS256"}'), encodeBase64url(payload), ''))
})

test('a signature that is cut short, encoded differently or made with another secret is refused and never causes a 500', async () => {
  const validHash = signStatusHash(check, shop.secrets.live)
  const [header = '', payload = '', signature = ''] = validHash.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  for (let length = 0; length < 32; length += 1) {
    await assertRefused(
      `${header}.${payload}.${encodeBase64url(bytes.subarray(0, length))}`,
      {},
      `${length} bytes`,
    )
  }
  for (const other of listRespellings(signature)) await assertRefused(`${header}.${payload}.${other}`)
  for (const odd of ['=', ' ', '\n', '\t', '+', '/']) await assertRefused(validHash + odd)
  const neighbour = await addPayProject(deps)
  await assertRefused(signStatusHash(check, neighbour.secrets.live))
  assert.equal((await postHash(validHash)).status, 200)
})

test('a hash is refused if it is for another order or project, or if a claim is missing, repeated or unknown', async () => {
  const { live } = shop.secrets
  await assertRefused(signStatusHash({ ...check, customId: 'other' }, live))
  await assertRefused(signStatusHash({ ...check, projectId: UNKNOWN_PROJECT }, live))
  for (const extra of [{ data: 'Kafa' }, { mode: 'live' }, { event: 'payment.result' }, { amount: '1500' }]) {
    await assertRefused(signJwt({ ...check, ...extra }, live))
  }
  for (const payload of ['{}', '[]', `{"projectId":"${shop.id}"}`, '{"customId":"paid"}']) {
    await assertRefused(forgeToken({ alg: 'HS256' }, payload, live))
  }
  const twice = `{"projectId":"${shop.id}","customId":"other","customId":"paid"}`
  await assertRefused(forgeToken({ alg: 'HS256' }, twice, live))
})

test('signatures made for another purpose are refused: callback hash, link signature, webhook signature', async () => {
  const { live } = shop.secrets
  const nowSec = Math.floor(deps.clock.nowMs() / 1000)
  const facts = { projectId: shop.id, amount: '1500', customId: 'paid', data: 'Kafa' }
  const callback = signTestCallback({ ...facts, secret: live, nowSec })
  const { hash } = JSON.parse(callback.body) as { hash: string }
  const link = { amount: '1500', project: shop.id, customId: 'paid' }
  const others = [
    hash,
    callback.headers['webhook-signature'],
    signPayLink(link, live),
    buildPayUrl('https://pay.example.me', { ...link, secret: live }),
    signWebhook({ id: 'msg_1', timestampSec: nowSec, body: '{}', secret: live })['webhook-signature'],
    `${hash.split('.').slice(0, 2).join('.')}.${signPayLink(link, live)}`,
  ]
  for (const other of others) {
    await assertRefused(other)
    await assertRefused(other, { amount: '1500' })
  }
})

test('a test secret never reveals a live payment, even if its prefix is replaced by the prefix of a live secret', async () => {
  const response = await postHash(signStatusHash(check, shop.secrets.test))
  assert.equal(response.text, '{"successful":false}')
  const swapped = shop.secrets.test.replace('sk_test_', 'sk_live_')
  await assertRefused(signStatusHash(check, swapped))
})

test('a token is refused if it expired minutes ago, is not valid yet, or contains a time of a wrong type', async () => {
  const nowSec = Math.floor(deps.clock.nowMs() / 1000)
  const signClaims = (claims: string) =>
    forgeToken({ alg: 'HS256' }, `{"projectId":"${shop.id}","customId":"paid",${claims}}`, shop.secrets.live)
  for (const claims of [
    `"exp":${nowSec - 300}`,
    `"nbf":${nowSec + 300}`,
    `"exp":"${nowSec + 300}"`,
    '"exp":1e400',
    '"exp":null',
    '"nbf":true',
    '"iat":"now"',
  ]) {
    await assertRefused(signClaims(claims), {}, claims)
  }
  for (const claims of [`"exp":${nowSec + 300}`, `"exp":${nowSec - 30}`, `"iat":${nowSec + 3600}`]) {
    assert.equal((await postHash(signClaims(claims))).status, 200, claims)
  }
})

test('a very long or malformed token is refused', async () => {
  const longHash = signJwt({ ...check, jti: 'x'.repeat(4_000) }, shop.secrets.live)
  assert.ok(longHash.length > 4_096)
  for (const token of [longHash, 'a'.repeat(60_000), '.'.repeat(10_000), '', '.', '..', 'a.b.c', '{}']) {
    await assertRefused(token)
  }
})

test('an unknown project and a wrong hash get the same response, except for the request id and the date', async () => {
  const hash = signStatusHash({ ...check, projectId: UNKNOWN_PROJECT }, shop.secrets.live)
  const responses = [
    await postHash('x'),
    await postHash(signStatusHash(check, 'sk_live_'.padEnd(72, '0'))),
    await program.post(CHECK_STATUS_URL, { projectId: UNKNOWN_PROJECT, customId: 'paid', hash }),
    await program.post(CHECK_STATUS_URL, { projectId: 'No such thing!', customId: 'paid', hash }),
  ]
  const [first, ...rest] = responses.map((response) => ({
    status: response.status,
    body: { ...response.json(), requestId: '' },
    headers: { ...response.headers, date: '', 'x-request-id': '' },
  }))
  for (const other of rest) assert.deepEqual(other, first)
})

test('a request for an unknown project computes as many HMACs and unseals as many secrets as a request for a known project', async () => {
  const decoy = sealDecoy(deps)
  const createHmac = mock.method(crypto, 'createHmac')
  const createDecipher = mock.method(crypto, 'createDecipheriv')
  syncBuiltinESMExports()
  try {
    const countWork = async (projectId: string) => {
      const hash = signStatusHash({ projectId, customId: 'paid' }, 'sk_live_'.padEnd(72, '0'))
      createHmac.mock.resetCalls()
      createDecipher.mock.resetCalls()
      assert.equal(await checkStatus(deps, decoy, { projectId, customId: 'paid', hash }), null)
      return [createHmac.mock.callCount(), createDecipher.mock.callCount()]
    }
    assert.deepEqual(await countWork(shop.id), [2, 2])
    assert.deepEqual(await countWork(UNKNOWN_PROJECT), [2, 2])
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('no random change of a valid hash is accepted', async (t) => {
  const rounds = Math.ceil(countRounds('forgeries') / 10)
  t.diagnostic(`forgeries over HTTP: ${rounds}`)
  const validHash = signStatusHash(check, shop.secrets.live)
  const rowsBefore = await countRows(deps.db)
  const change = fc.record({
    from: fc.nat(validHash.length - 1),
    drop: fc.nat(3),
    put: fc.string({ unit: fc.constantFrom(...'.=+/-_AZaz09 '), maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ from, drop, put }) => {
      const hash = validHash.slice(0, from) + put + validHash.slice(from + drop)
      if (hash !== validHash) await assertRefused(hash)
    }),
    { numRuns: rounds },
  )
  assert.deepEqual(await countRows(deps.db), rowsBefore)
})

test('the old secret is refused on every replica as soon as a rotation has returned the new secret', async (t) => {
  const rounds = countRounds('oldSecretAfterRotation', t)
  const second = new Client((await service.replica()).app)
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  await insertPayments(deps, id, [{ customId: 'paid' }])
  await owner.stepUp()
  const reveal = await owner.post('/sdk/project/seeSecret', { projectId: id })
  let { secret } = reveal.json<{ secret: string }>()
  const request = { projectId: id, customId: 'paid' }
  const listStatuses = async (signingSecret: string) => {
    const hash = signStatusHash(request, signingSecret)
    const responses = await Promise.all(
      [program, second].map((one) => one.post(CHECK_STATUS_URL, { ...request, hash })),
    )
    return responses.map(({ status }) => status)
  }
  for (let round = 0; round < rounds; round += 1) {
    assert.deepEqual(await listStatuses(secret), [200, 200])
    // The step-up lasts five minutes, and many rounds may take longer.
    if (round % 50 === 49) await owner.stepUp()
    const rotated = await owner.post('/sdk/project/rotateSecret', { projectId: id })
    const next = rotated.json<{ secret: string }>().secret
    assert.deepEqual(await listStatuses(secret), [401, 401], `round ${round}`)
    secret = next
  }
  assert.deepEqual(await listStatuses(secret), [200, 200])
})
