import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signTestCallback } from '@pazar/sdk'
import { POST } from './callback.ts'
import { orders, secret } from './records.ts'

type Fields = Omit<Parameters<typeof signTestCallback>[0], 'secret'>

async function send(fields: Fields, change = (body: string) => body): Promise<[number, string]> {
  const { headers, body } = signTestCallback({ secret, ...fields })
  const response = await POST(
    new Request('https://shop.example.me/pazar', { method: 'POST', headers, body: change(body) }),
  )
  return [response.status, await response.text()]
}

test('the sample marks no order as paid after a forgery, a wrong amount, an unknown order or a failure', async () => {
  const order = { customId: 'order-7', amount: '1500' }
  assert.deepEqual(await send(order, (body) => body.replace('1500', '1501')), [400, 'bad_signature'])
  assert.deepEqual(await send({ ...order, amount: '1' }), [400, 'amount_mismatch'])
  assert.deepEqual(await send({ ...order, customId: 'order-8' }), [400, 'amount_mismatch'])
  assert.deepEqual(await send({ ...order, status: 'fail' }), [200, 'ok'])
  assert.equal(orders.isPaid('order-7'), false)
})

test('the sample marks an order as paid after a genuine success', async () => {
  assert.deepEqual(await send({ customId: 'order-7', amount: '1500' }), [200, 'ok'])
  assert.equal(orders.isPaid('order-7'), true)
})
