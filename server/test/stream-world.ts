// For tests of event streams: a merchant, and two replicas that serve streams. Each test begins and ends without streams.
import { after, afterEach, beforeEach } from 'node:test'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import { untilStatus } from './deliveries.ts'
import { listenLocally, readEvents } from './event-reader.ts'
import type { EventReader } from './event-reader.ts'
import { startTestService } from './harness.ts'
import { accept, startMerchant } from './merchant.ts'
import { until } from './until.ts'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import { changeCallbacks } from './stored-forms.ts'

export async function startStreamWorld() {
  const merchant = await startMerchant()
  const service = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  const { app, deps } = service
  const { db } = deps
  const replica = await service.replica()
  const origin = await listenLocally(app)
  const otherOrigin = await listenLocally(replica.app)
  after(() => merchant.close())

  const owner = await signUp(app)
  const projectId = (await owner.addProject({ apiUrl: merchant.url })).id
  const path = `/portal/api/projects/${projectId}/events`

  beforeEach(async () => {
    await rows(db, 'truncate callbacks, callback_lanes cascade')
    Object.assign(merchant, { reply: accept, received: [] })
  })

  const readers = new Set<EventReader>()
  const noneIsOpen = async () => (await rows(db, 'select from event_streams')).length === 0

  async function open(from = origin, headers: Record<string, string> = {}): Promise<EventReader> {
    const reader = await readEvents(from, owner, path, headers)
    readers.add(reader)
    return reader
  }

  afterEach(async () => {
    for (const reader of readers) reader.close()
    readers.clear()
    await until(noneIsOpen, 'all streams are closed')
  })

  async function deliver(ids: readonly string[], ...statuses: string[]): Promise<void> {
    const worker = startDeliveryWorker(deps)
    try {
      for (const id of ids) await untilStatus(db, id, ...statuses)
    } finally {
      await worker.stop()
    }
  }

  async function markDelivered(ids: readonly string[]): Promise<void> {
    await changeCallbacks(
      db,
      `with delivered_now as (update callbacks set status = 'delivered', delivered_at = now(), attempts = 1
         where id = any ($1::text[]) returning project_id, id)
       insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
       select project_id, id, 1, 'https://shop.example.com', now(), 1, 'delivered' from delivered_now`,
      [ids],
    )
  }
  return {
    merchant,
    app,
    deps,
    db,
    origin,
    otherOrigin,
    owner,
    projectId,
    path,
    readers,
    noneIsOpen,
    open,
    deliver,
    markDelivered,
  }
}
