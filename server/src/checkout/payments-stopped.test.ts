import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { newUuidV7 } from '../lib/id.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

test('while payments are stopped after a restore, the page says so and offers no Pay button', async () => {
  const stopped = await service.replica()
  stopped.deps.restoreGate = { ...deps.restoreGate, isClosed: () => true }
  const page = await new Payer(stopped.app).open(toLink(shop))
  assert.deepEqual([page.status, page.heading], [503, 'Payments are stopped for now'])
  assert.equal(page.headers['retry-after'], '60')
  assert.equal(page.form, null)
})

test('while payments are stopped after a restore, no page of a link says "not charged"', async () => {
  const stopped = await service.replica()
  const lostShop = await addPayProject(deps)
  const links = {
    payable: toLink(shop),
    expired: toLink(shop, { exp: Math.floor(deps.clock.nowMs() / 1000) - 60, signed: true }),
    'of a lost project': toLink({ ...lostShop, id: `${lostShop.id.slice(0, -4)}0000` }),
  }
  stopped.deps.restoreGate = { ...deps.restoreGate, isClosed: () => true }
  for (const [name, link] of Object.entries(links)) {
    const page = await new Payer(stopped.app).open(link)
    assert.deepEqual([page.status, page.heading], [503, 'Payments are stopped for now'], name)
    assert.match(page.text, /If you pressed “Pay” before, that payment may have gone through/, name)
    assert.doesNotMatch(page.text, /not charged/, name)
  }
})

test('while payments are stopped after a restore, no page says "not found" about a payment that may be lost', async () => {
  const stopped = await service.replica()
  const id = newUuidV7(deps.clock)
  const read = async (url: string) => {
    const response = await stopped.app.inject({ url, headers: { accept: 'application/json' } })
    return { status: response.statusCode, body: response.json<Record<string, string>>() }
  }
  assert.equal((await read(`/pay/${id}`)).status, 404)
  stopped.deps.restoreGate = { ...deps.restoreGate, isClosed: () => true }
  const payer = new Payer(stopped.app)
  const address = `/pay/${id}?return=1`
  const page = await payer.open(address)
  assert.deepEqual([page.status, page.heading], [503, 'Payments are stopped for now'])
  assert.match(page.text, /do not pay in another way/)
  assert.equal(page.links.get('Try again'), address)
  const { status, body } = await read(`/pay/${id}`)
  assert.deepEqual([status, body['code']], [503, 'unavailable'])
  assert.equal((await read('/pay/not-an-id')).status, 404)
  const confirmation = await payer.open(`/pay/successful?status=success&transactionId=${id}`)
  assert.equal(confirmation.heading, 'This page cannot show whether you have paid')
  assert.equal(confirmation.links.get('Check again'), `/pay/${id}`)
})
