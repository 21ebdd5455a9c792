// Tests the client with the real service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, Client } from '@pazar/sdk'
import { listenLocally } from '../../server/test/event-reader.ts'
import { startTestService } from '../../server/test/harness.ts'
import { addPayProject, Payer } from '../../server/test/payer.ts'

const service = await startTestService()
const baseUrl = await listenLocally(service.app)
const shop = await addPayProject(service.deps)

for (const mode of ['live', 'test'] as const) {
  test(`after the payment of a ${mode} link, checkStatus is true, unless another amount is given`, async () => {
    const pazar = new Client({ baseUrl, projectId: shop.id, secret: shop.secrets[mode], mode })
    const url = new URL(
      pazar.payUrl({ amount: '1500', data: 'Narudžba 7', customId: 'order-7', lang: 'cnr' }),
    )
    assert.equal(url.origin, baseUrl)
    assert.deepEqual(await pazar.checkStatus('order-7'), { successful: false })
    const paid = await new Payer(service.app).pay(url.pathname + url.search)
    assert.match(paid.location ?? '', /[?&]status=success&/)
    assert.deepEqual(await pazar.checkStatus('order-7'), { successful: true })
    assert.deepEqual(await pazar.checkStatus('order-7', { amount: '1500' }), { successful: true })
    assert.deepEqual(await pazar.checkStatus('order-7', { amount: '1501' }), { successful: false })
    assert.deepEqual(await pazar.checkStatus('order-8'), { successful: false })
  })
}

test('a wrong secret is refused with the error code and request id of the service', async () => {
  const secret = `${shop.secrets.live.slice(0, -1)}${shop.secrets.live.endsWith('0') ? '1' : '0'}`
  const error = await new Client({ baseUrl, projectId: shop.id, secret }).checkStatus('order-7').then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError)
  assert.deepEqual([error.code, error.status], ['invalid_hash', 401])
  assert.match(error.requestId ?? '', /\S/)
  assert.match(error.docsUrl ?? '', /\/docs\/errors#invalid_hash$/)
})

test('an empty customId is refused as invalid_request', async () => {
  const pazar = new Client({ baseUrl, projectId: shop.id, secret: shop.secrets.live })
  await assert.rejects(pazar.checkStatus(''), { name: 'ApiError', code: 'invalid_request', status: 400 })
})
