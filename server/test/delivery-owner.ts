// For tests of the delivery log: a merchant's server, the owner of a project with that server, and another account.
import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import type { Client } from './client.ts'
import { untilAttempt } from './deliveries.ts'
import { startTestService } from './harness.ts'
import type { TestService } from './harness.ts'
import { accept, startMerchant } from './merchant.ts'
import type { Merchant } from './merchant.ts'

export interface DeliveryPage {
  items: (CallbackView & { lastAttempt: AttemptView | null })[]
  nextCursor: string | null
}

export interface DeliveryOwner {
  merchant: Merchant
  service: TestService
  owner: Client
  stranger: Client
  projectId: string
  base: string
  list: (query?: string, as?: Client) => Promise<DeliveryPage>
}

/** Before every test the queue is emptied, and the merchant is set to accept. */
export async function startDeliveryOwner(): Promise<DeliveryOwner> {
  const merchant = await startMerchant()
  const service = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  after(() => merchant.close())
  beforeEach(async () => {
    await rows(service.deps.db, 'truncate callbacks, callback_lanes cascade')
    Object.assign(merchant, { reply: accept, received: [] })
  })
  const owner = await signUp(service.app)
  const stranger = await signUp(service.app)
  const projectId = (await owner.addProject({ apiUrl: merchant.url })).id
  const base = `/portal/api/projects/${projectId}`
  return {
    merchant,
    service,
    owner,
    stranger,
    projectId,
    base,
    async list(query = '', client = owner) {
      const response = await client.get(`${base}/deliveries${query}`)
      assert.equal(response.status, 200, response.text)
      return response.json<DeliveryPage>()
    },
  }
}

export function toIds(listed: DeliveryPage): string[] {
  return listed.items.map((item) => item.id)
}

export async function deliverAll(deps: Deps, attempts = 1): Promise<void> {
  const worker = startDeliveryWorker(deps)
  try {
    const waiting = `select id from callback_states where status <> 'cancelled'`
    for (const { id } of await rows<{ id: string }>(deps.db, waiting))
      await untilAttempt(deps.db, id, attempts)
  } finally {
    await worker.stop()
  }
}
