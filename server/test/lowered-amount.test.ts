// The payer of an unsigned link can lower the amount. The sample shop must compare the paid amount with its own price.
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

/** Hooks run in the order in which they are registered. These steps must run before the service closes its database. */
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const step of closers) await step()
})

const shopPort = await freePort()
const shopUrl = `http://localhost:${shopPort}`
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: `localhost:${shopPort}` })
const { id: projectId, secrets } = await addPayProject(service.deps, {
  resultUrl: `${shopUrl}/return`,
  apiUrl: `${shopUrl}/callback`,
})
const sampleShop = createShop({
  payBaseUrl: service.config.baseUrl,
  projectId,
  secret: secrets.live,
  nowMs: () => Date.now(),
})
const statuses: number[] = []
const server = createServer((request, response) => {
  if (request.url === '/callback') response.once('finish', () => statuses.push(response.statusCode))
  sampleShop(request, response)
}).listen(shopPort, '127.0.0.1')
await once(server, 'listening')
const background = startBackground(service.deps)
closers.push(
  () => background.stop(),
  async () => {
    server.closeAllConnections()
    server.close()
  },
)

async function buy(): Promise<URL> {
  const response = await fetch(`${shopUrl}/buy`, {
    method: 'POST',
    body: new URLSearchParams({ good: 'coffee' }),
    redirect: 'manual',
  })
  return new URL(response.headers.get('location') ?? '')
}

async function findState(orderId: string | null): Promise<string | undefined> {
  const response = await fetch(`${shopUrl}/orders.json`)
  const { orders } = (await response.json()) as { orders: { id: string; state: string }[] }
  return orders.find(({ id }) => id === orderId)?.state
}

test('an order that is paid with a lowered amount is not fulfilled', async () => {
  const link = await buy()
  link.searchParams.set('amount', '1')
  link.searchParams.delete('sig')
  const paid = await new Payer(service.app).pay(link.pathname + link.search)
  assert.match(paid.location ?? '', /status=success/)
  await until(() => statuses.length > 0)
  assert.equal(statuses[0], 400)
  assert.notEqual(await findState(link.searchParams.get('customId')), 'paid')
})

test('a redirect with status=success alone does not fulfil an order', async () => {
  const link = await buy()
  const orderId = link.searchParams.get('customId')
  await fetch(`${shopUrl}/return?status=success&customId=${orderId}`)
  assert.equal(await findState(orderId), 'waiting')
})

test('an order that is paid at its price is fulfilled', async () => {
  const link = await buy()
  const countBefore = statuses.length
  await new Payer(service.app).pay(link.pathname + link.search)
  await until(() => statuses.slice(countBefore).includes(200))
  assert.equal(await findState(link.searchParams.get('customId')), 'paid')
})
