import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import jsonwebtoken from 'jsonwebtoken'
import { SignJWT } from 'jose'
import { signStatusHash } from '@pazar/sdk'
import type { StatusQuestion } from '@pazar/sdk'
import { Client } from '../../../test/client.ts'
import type { ClientResponse } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { addPayProject } from '../../../test/payer.ts'
import type { PayProject } from '../../../test/payer.ts'
import { newOrder } from '../../../test/payments.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { confirmPayment } from '../confirm.ts'

const CHECK_STATUS_URL = '/sdk/transaction/checkStatus'

const service = await startTestService()
const { app, deps } = service
const program = new Client(app)
let shop: PayProject

before(async () => {
  shop = await addPayProject(deps)
  await insertPayments(deps, shop.id, [
    { customId: 'paid' },
    { customId: 'paid-in-test', mode: 'test' },
    { customId: 'failed', state: 'failed' },
    { customId: 'expired', state: 'expired' },
    { customId: 'open', state: 'processing' },
    { customId: 'at-the-bank', state: 'requires_action' },
    { customId: 'second-try', state: 'failed' },
    { customId: 'second-try' },
  ])
})

function postCheck(changes: Partial<StatusQuestion>, secret = shop.secrets.live): Promise<ClientResponse> {
  const check = { projectId: shop.id, customId: 'paid', ...changes }
  return program.post(CHECK_STATUS_URL, { ...check, hash: signStatusHash(check, secret) })
}

test('a paid order is successful, and the response has no other field', async () => {
  const response = await postCheck({})
  assert.equal(response.status, 200)
  assert.equal(response.text, '{"successful":true}')
  assert.equal(response.headers['cache-control'], 'no-store')
})

test('an order that failed, expired, is still open or is unknown is not successful', async () => {
  for (const customId of ['failed', 'expired', 'open', 'at-the-bank', 'nobody']) {
    const response = await postCheck({ customId })
    assert.equal(response.text, '{"successful":false}', customId)
    assert.equal(response.status, 200)
  }
  assert.equal((await postCheck({ customId: 'second-try' })).text, '{"successful":true}')
})

test('an order is successful once its payment has succeeded', async () => {
  const check = { customId: 'real' }
  assert.equal((await postCheck(check)).text, '{"successful":false}')
  await confirmPayment(deps, newOrder(shop.id, check))
  assert.equal((await postCheck(check)).text, '{"successful":true}')
})

test('the secret of the hash decides the mode: neither mode shows payments of the other mode', async () => {
  const { live, test: testing } = shop.secrets
  assert.equal((await postCheck({ customId: 'paid-in-test' }, testing)).text, '{"successful":true}')
  assert.equal((await postCheck({ customId: 'paid-in-test' }, live)).text, '{"successful":false}')
  assert.equal((await postCheck({ customId: 'paid' }, testing)).text, '{"successful":false}')
})

test('if body and hash contain an amount, it must be the paid amount', async () => {
  assert.equal((await postCheck({ amount: '1500' })).text, '{"successful":true}')
  assert.equal((await postCheck({ amount: '1499' })).text, '{"successful":false}')
  const check = { projectId: shop.id, customId: 'paid' }
  const hash = signStatusHash({ ...check, amount: '1500' }, shop.secrets.live)
  assert.equal(
    (await program.post(CHECK_STATUS_URL, { ...check, amount: 1500, hash })).text,
    '{"successful":true}',
  )
})

test('an amount that is only in the body or only in the hash is refused', async () => {
  const check = { projectId: shop.id, customId: 'paid' }
  const withoutAmount = signStatusHash(check, shop.secrets.live)
  const withAmount = signStatusHash({ ...check, amount: '1500' }, shop.secrets.live)
  assert.equal(
    (await program.post(CHECK_STATUS_URL, { ...check, amount: '1500', hash: withoutAmount })).code,
    'invalid_hash',
  )
  assert.equal((await program.post(CHECK_STATUS_URL, { ...check, hash: withAmount })).code, 'invalid_hash')
})

test('a hash made with jsonwebtoken or jose is accepted, even with registered claims such as exp and aud', async () => {
  const check = { projectId: shop.id, customId: 'paid' }
  const plain = jsonwebtoken.sign(check, shop.secrets.live)
  assert.equal((await program.post(CHECK_STATUS_URL, { ...check, hash: plain })).text, '{"successful":true}')
  const claims = { expiresIn: '1h', issuer: 'shop', audience: 'pazar', jwtid: '7', notBefore: 0 } as const
  const withAllClaims = jsonwebtoken.sign(check, shop.secrets.live, claims)
  assert.equal(
    (await program.post(CHECK_STATUS_URL, { ...check, hash: withAllClaims })).text,
    '{"successful":true}',
  )
  const byJose = await new SignJWT(check)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .sign(Buffer.from(shop.secrets.live))
  assert.equal((await program.post(CHECK_STATUS_URL, { ...check, hash: byJose })).text, '{"successful":true}')
})

const refused: [name: string, change: Record<string, unknown>, path: string][] = [
  ['without a projectId', { projectId: undefined }, 'projectId'],
  ['without a customId', { customId: undefined }, 'customId'],
  ['without a hash', { hash: undefined }, 'hash'],
  ['with an empty customId', { customId: '' }, 'customId'],
  ['with a customId of more than 128 characters', { customId: 'x'.repeat(129) }, 'customId'],
  ['with a number as the hash', { hash: 7 }, 'hash'],
  ['with a list as the projectId', { projectId: ['a'] }, 'projectId'],
  ['with an invalid amount', { amount: '15.00' }, 'amount'],
  ['with a null amount', { amount: null }, 'amount'],
  ['with an unknown field', { mode: 'live' }, 'mode'],
]
for (const [name, change, path] of refused) {
  test(`a status check ${name} is 400, and the error names the field`, async () => {
    const response = await program.post(CHECK_STATUS_URL, {
      projectId: shop.id,
      customId: 'paid',
      hash: 'x',
      ...change,
    })
    assert.equal(response.status, 400, response.text)
    assert.deepEqual(
      response.json<{ errors: { path: string }[] }>().errors.map((error) => error.path),
      [path],
    )
  })
}

test('a body that is not JSON is 415, and a body over 64 KiB is 413', async () => {
  const form = await program.post(CHECK_STATUS_URL, 'a=b', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.equal(form.code, 'unsupported_media_type')
  assert.equal((await program.post(CHECK_STATUS_URL, { hash: 'x'.repeat(70_000) })).code, 'payload_too_large')
})

test('after the first correct hash of a secret, a status check takes one statement, even with a wrong hash or an unknown project', async () => {
  const hash = signStatusHash({ projectId: 'nobody', customId: 'paid' }, shop.secrets.live)
  const checks: (() => Promise<ClientResponse>)[] = [
    () => postCheck({}),
    () => postCheck({}, shop.secrets.test),
    () => program.post(CHECK_STATUS_URL, { projectId: shop.id, customId: 'paid', hash: 'x' }),
    () => program.post(CHECK_STATUS_URL, { projectId: 'nobody', customId: 'paid', hash }),
  ]
  for (const send of checks) {
    const statementsBefore = deps.db.statementCount()
    await send()
    assert.equal(deps.db.statementCount() - statementsBefore, 1)
  }
})

test('correct hashes are limited per project, wrong hashes are limited per IP address, and the two limits are separate', async () => {
  const limits = { RATE_LIMITS: 'on', RATE_LIMIT_STATUS_VERIFIED: '3', RATE_LIMIT_STATUS_REFUSED: '2' }
  const limited = new Client((await service.replica(limits)).app)
  const otherProject = await addPayProject(deps)
  const postCorrect = (checkedShop: PayProject) => {
    const check = { projectId: checkedShop.id, customId: 'paid' }
    return limited.post(CHECK_STATUS_URL, { ...check, hash: signStatusHash(check, checkedShop.secrets.live) })
  }
  const postWrong = () => limited.post(CHECK_STATUS_URL, { projectId: shop.id, customId: 'paid', hash: 'x' })

  assert.deepEqual([(await postWrong()).status, (await postWrong()).status], [401, 401])
  const tooMany = await postWrong()
  assert.equal(tooMany.code, 'rate_limited')
  assert.match(String(tooMany.headers['retry-after']), /^[1-9]\d*$/)

  for (const status of [200, 200, 200, 429]) assert.equal((await postCorrect(shop)).status, status)
  assert.equal((await postCorrect(otherProject)).status, 200)
})
