// The known weakness of unsigned links: a payer lowers the amount of a real order and pays, and the sample shop does not
// fulfil it. The callback is genuine and states the paid amount, which the shop compares with its own price.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { createShop } from '../../examples/shop/src/shop.ts'
import { startBackground } from '../src/background.ts'
import { startTestService } from './harness.ts'
import { addPayProject, Payer } from './payer.ts'
import { freePort } from './service-process.ts'
import { until } from './until.ts'

/** Runs before the service's own parts are closed, which happens in the order in which they were made. */
const undo: (() => Promise<void>)[] = []
after(async () => {
  for (const step of undo) await step()
})

const shopPort = await freePort()
const shopUrl = `http://localhost:${shopPort}`
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: `localhost:${shopPort}` })
const { id: projectId, secrets } = await addPayProject(service.deps, {
  resultUrl: `${shopUrl}/return`,
  apiUrl: `${shopUrl}/callback`,
})
const sample = createShop({
  payBaseUrl: service.config.baseUrl,
  projectId,
  secret: secrets.live,
  nowMs: () => Date.now(),
})
/** The shop's response to each callback. */
const statuses: number[] = []
const server = createServer((request, answer) => {
  if (request.url === '/callback') answer.once('finish', () => statuses.push(answer.statusCode))
  sample(request, answer)
}).listen(shopPort, '127.0.0.1')
await once(server, 'listening')
const background = startBackground(service.deps)
undo.push(
  () => background.stop(),
  async () => {
    server.closeAllConnections()
    server.close()
  },
)

async function buy(): Promise<URL> {
  const answer = await fetch(`${shopUrl}/buy`, {
    method: 'POST',
    body: new URLSearchParams({ good: 'coffee' }),
    redirect: 'manual',
  })
  return new URL(answer.headers.get('location') ?? '')
}

async function stateOf(orderId: string | null): Promise<string | undefined> {
  const answer = await fetch(`${shopUrl}/orders.json`)
  const { orders } = (await answer.json()) as { orders: { id: string; state: string }[] }
  return orders.find(({ id }) => id === orderId)?.state
}

test('an order paid at a lowered amount is not fulfilled, though the payment is real', async () => {
  const link = await buy()
  link.searchParams.set('amount', '1')
  link.searchParams.delete('sig')
  const paid = await new Payer(service.app).pay(link.pathname + link.search)
  assert.match(paid.location ?? '', /status=success/)
  await until(() => statuses.length > 0)
  assert.equal(statuses[0], 400)
  assert.notEqual(await stateOf(link.searchParams.get('customId')), 'paid')
})

test('the status in the browser’s redirect does not fulfil such an order either', async () => {
  const link = await buy()
  const orderId = link.searchParams.get('customId')
  await fetch(`${shopUrl}/return?status=success&customId=${orderId}`)
  assert.equal(await stateOf(orderId), 'waiting')
})

test('the same order paid at its own price is fulfilled', async () => {
  const link = await buy()
  const before = statuses.length
  await new Payer(service.app).pay(link.pathname + link.search)
  await until(() => statuses.slice(before).includes(200))
  assert.equal(await stateOf(link.searchParams.get('customId')), 'paid')
})
