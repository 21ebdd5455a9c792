// Gives each reader what the pages of the guide require: a service, an account, a project with a server, tokens and a paid
// order.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { buildPayUrl } from '@pazar/sdk'
import { startBackground } from '../../src/background.ts'
import { makeToken } from '../api-tokens.ts'
import { signUp } from '../client.ts'
import { startTestService } from '../harness.ts'
import type { TestService } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { freePort } from '../service-process.ts'

export interface GuideReader {
  fill(text: string): string
}

export interface GuideWorld {
  service: TestService
  newReader(): Promise<GuideReader>
}

export async function startGuideWorld(): Promise<GuideWorld> {
  const port = await freePort()
  const shop = await startMerchant()
  const baseUrl = `http://localhost:${port}`
  // Hooks run in the order in which they are registered. This hook must run before the service closes its database.
  const stops: (() => Promise<void>)[] = [() => shop.close()]
  after(async () => {
    for (const stop of stops.toReversed()) await stop()
  })
  const service = await startTestService({ BASE_URL: baseUrl, CALLBACK_ALLOW_HOSTS: shop.hostAndPort })
  const background = startBackground(service.deps)
  stops.push(() => background.stop())
  await service.app.listen({ port, host: 'localhost' })

  async function newReader(): Promise<GuideReader> {
    const owner = await signUp(service.app)
    const { id } = await owner.addProject({ apiUrl: shop.url })
    const { token } = await makeToken(owner)
    const refunds = { name: 'Refunds', scope: 'refund', projectId: id, dailyCap: '50000' }
    const { token: refundToken } = await makeToken(owner, refunds)
    const response = await owner.get(`/portal/api/projects/${id}/test-secret`)
    const { secret } = response.json<{ secret: string }>()
    const order = { amount: '1500', data: 'Order 7', customId: 'order-7', mode: 'test' } as const
    const link = buildPayUrl('http://x', { ...order, project: id, secret }).slice('http://x'.length)
    const shown = await owner.get(link, { accept: 'application/json' })
    const paid = await owner.post('/pay', { token: shown.json()['token'] })
    assert.equal(paid.status, 200, paid.text)
    const log = await owner.get(`/portal/api/projects/${id}/deliveries?mode=test`)
    const [callback] = log.json<{ items: { id: string }[] }>().items
    assert.ok(callback)
    const values = {
      YOUR_PROJECT_ID: id,
      sk_test_YOUR_TEST_SECRET: secret,
      YOUR_TRANSACTION_ID: paid.json<{ transactionId: string }>().transactionId,
      msg_YOUR_CALLBACK_ID: callback.id,
      pat_YOUR_TOKEN: token,
      pat_YOUR_REFUND_TOKEN: refundToken,
      'you@example.com': owner.email,
      YOUR_PASSWORD: owner.password,
    }
    const shopPort = await freePort()
    const ports = { 'localhost:4000': `localhost:${shopPort}`, 'listen(4000': `listen(${shopPort}` }
    return {
      fill: (text) =>
        Object.entries({ ...values, ...ports }).reduce(
          (filled, [name, value]) => filled.replaceAll(name, value),
          text,
        ),
    }
  }

  return { service, newReader }
}
