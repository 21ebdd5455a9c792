// State for the fuzz test: an owner, a project with a paid order, and valid requests for the tested public routes.
import assert from 'node:assert/strict'
import { signStatusHash } from '@pazar/sdk'
import type { Http } from '../../src/http/server.ts'
import { GOOD_PROJECT, signUp } from '../client.ts'
import type { ClientResponse, Client } from '../client.ts'
import { toLink } from '../payer.ts'
import type { ValidRequest } from './break-request.ts'

export interface World {
  owner: Client
  findValidRequest(method: string, url: string): Promise<ValidRequest | null>
  recordChange(method: string, url: string, response: ClientResponse): Promise<void>
}

const PAID_ORDER = 'order-paid'

// Why this is long: many short functions that share one account.
export async function createWorld(app: Http): Promise<World> {
  const owner = await signUp(app)
  await owner.stepUp()
  const { id: projectId } = await owner.addProject()
  let secret = (await owner.post('/sdk/project/seeSecret', { projectId })).json<{ secret: string }>().secret
  let orders = 0
  let refunds = 0
  let unusedToken: string | null = null

  const toSignedLink = (customId: string) =>
    toLink({ id: projectId, secrets: { live: secret, test: secret } }, { customId, signed: true })

  async function newToken(customId: string): Promise<string> {
    const shown = await owner.get(toSignedLink(customId), { accept: 'application/json' })
    assert.equal(shown.status, 200, shown.text)
    return shown.json<{ token: string }>().token
  }

  const paid = await owner.post('/pay', { token: await newToken(PAID_ORDER) })
  assert.equal(paid.status, 200, paid.text)
  const { transactionId } = paid.json<{ transactionId: string }>()

  const projectUrl = `/portal/api/projects/${projectId}`
  // Nobody receives this callback, but it can be read and resent.
  const testCallback = { status: 'success', amount: '1500', customId: 'order-9', to: 'listeners' }
  const sent = await owner.post(`${projectUrl}/test-callbacks`, testCallback)
  const { id: callbackId } = sent.json<{ callback: { id: string } }>().callback

  const list = { page: 1, limit: 2, projectId, mode: 'live', state: 'succeeded', customId: PAID_ORDER }
  const validBodies: Record<string, () => ValidRequest['body'] | Promise<ValidRequest['body']>> = {
    'POST /sdk/project/add': () => GOOD_PROJECT,
    'POST /sdk/project/update': () => ({ projectId, name: 'Knjižara', apiUrl: GOOD_PROJECT.apiUrl }),
    'POST /sdk/project/list': () => ({}),
    'POST /sdk/project/get': () => ({ projectId }),
    'POST /sdk/project/seeSecret': () => ({ projectId }),
    'POST /sdk/project/rotateSecret': () => ({ projectId }),
    'POST /sdk/project/qr': () => ({ project: projectId, amount: 1500, customId: 'order-8', size: 256 }),
    'POST /sdk/transactions/list': () => list,
    'POST /transactions/list': () => list,
    'POST /sdk/ai/prompt': () => ({ prompt: 'How do I verify a callback?', projectId, locale: 'cnr' }),
    'POST /sdk/transaction/checkStatus': () => {
      const query = { projectId, customId: PAID_ORDER, amount: '1500' }
      return { ...query, hash: signStatusHash(query, secret) }
    },
    'POST /sdk/transaction/get': () => ({ projectId, transactionId }),
    'POST /sdk/transaction/refund': () => ({
      projectId,
      transactionId,
      amount: '1',
      idempotencyKey: `refund-${(refunds += 1)}`,
    }),
    'POST /sdk/events/list': () => ({ projectId, mode: 'live', limit: 3 }),
    'POST /portal/api/projects/{id}/pay-link': () => ({ amount: '1500', customId: 'order-8', mode: 'test' }),
    'POST /portal/api/projects/{id}/status-check': () => ({ customId: PAID_ORDER, mode: 'live' }),
    'POST /portal/api/projects/{id}/test-callbacks': () => testCallback,
    'POST /portal/api/projects/{id}/deliveries/{callbackId}/resend': () => ({ again: true }),
    'POST /portal/api/projects/{id}/deliveries/resend-failed': () => ({ since: '2026-11-01T00:00:00.000Z' }),
    // With deliver: "caller", the requests are returned instead of sent.
    'POST /portal/api/projects/{id}/exam': () => ({ deliver: 'caller' }),
    'POST /portal/api/projects/{id}/verify-signature': () => ({ headers: {}, body: '{}', mode: 'test' }),
    'POST /pay': async () => ({ token: (unusedToken ??= await newToken(`order-${(orders += 1)}`)) }),
  }
  const pages: Record<string, () => string> = {
    'GET /pay': () => toSignedLink(PAID_ORDER),
    'GET /pay/successful': () => `/pay/successful?status=success&transactionId=${transactionId}`,
    'GET /pay/{transactionId}': () => `/pay/${transactionId}`,
    'GET /portal/api/projects/{id}/inbox': () => `${projectUrl}/inbox?limit=2`,
    'GET /portal/api/projects/{id}/deliveries': () => `${projectUrl}/deliveries?limit=2&mode=test`,
    'GET /portal/api/projects/{id}/deliveries/{callbackId}': () => `${projectUrl}/deliveries/${callbackId}`,
    'GET /portal/api/projects/{id}/statement': () => `${projectUrl}/statement?month=2026-11`,
    'GET /portal/api/projects/{id}/stats': () => `${projectUrl}/stats?mode=live`,
  }

  return {
    owner,
    async findValidRequest(method, url) {
      const page = pages[`${method} ${url}`]
      if (page) return { url: page() }
      const body = await validBodies[`${method} ${url}`]?.()
      return body ? { url: url.replace('{id}', projectId).replace('{callbackId}', callbackId), body } : null
    },
    async recordChange(method, url, response) {
      if (response.status >= 400) return
      if (method === 'POST' && url === '/pay') unusedToken = null
      if (url === '/sdk/project/rotateSecret') secret = response.json<{ secret: string }>().secret
      // The number of projects is limited, so the new one is archived.
      if (url === '/sdk/project/add')
        await owner.post(`/portal/api/projects/${response.json<{ id: string }>().id}/archive`)
    },
  }
}
