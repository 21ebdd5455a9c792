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

test('if an operator decides about a payment again, the order gets the new state', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  for (const [facts, state] of [
    [{ status: 'success' }, 'paid'],
    [{ status: 'fail', failureCode: 'resolved_unpaid' }, 'failed'],
    [{ status: 'success' }, 'paid'],
  ] as const) {
    await send(shop, sign(toFacts(id, facts)))
    assert.equal((await findOrder(shop, id))?.state, state)
  }
})

test('an order that an operator resolved as paid stays paid if the callback of an earlier failure arrives last', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  await send(shop, sign(toFacts(id, { status: 'success' })))
  await send(shop, sign(toFacts(id, { status: 'fail', failureCode: 'declined' })))
  assert.equal((await findOrder(shop, id))?.state, 'paid')
})
