import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, findOrder, send, sign, startShop, toFacts } from '../test/shop-client.ts'

test('a failed payment does not change an order that another payment has paid', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const stateAfter = async (fields: Parameters<typeof toFacts>[1]) => {
    await send(shop, sign(toFacts(id, fields)))
    return (await findOrder(shop, id))?.state
  }
  assert.equal(await stateAfter({ status: 'fail', transactionId: 'one' }), 'failed')
  assert.equal(await stateAfter({ status: 'success', transactionId: 'one' }), 'paid')
  assert.equal(await stateAfter({ status: 'fail', transactionId: 'two' }), 'paid')
})

test('each new result of the payment counts, also one that was sent before another', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  for (const [status, state] of [
    ['success', 'paid'],
    ['fail', 'failed'],
    ['success', 'paid'],
  ] as const) {
    await send(shop, sign(toFacts(id, { status })))
    assert.equal((await findOrder(shop, id))?.state, state)
  }
})
