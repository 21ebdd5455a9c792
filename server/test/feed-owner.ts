// For tests of events: an owner who adds projects, makes payments in them and lists their events.
import assert from 'node:assert/strict'
import type { EventPage, EventView } from '@pazar/contract'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import { startTestService } from './harness.ts'
import { newOrder } from './payments.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import type { Order } from '../src/payments/payment.ts'

export async function startFeedOwner() {
  const { app, deps } = await startTestService({ PAYMENT_DATA_RETENTION_DAYS: '30' })
  const { db } = deps
  const owner = await signUp(app)

  async function addProject() {
    // An account may have only five projects that are not archived.
    await rows(db, 'update projects set archived_at = now() where archived_at is null')
    const { id } = await owner.addProject()
    const list = async (body: object = {}): Promise<EventPage> => {
      const response = await owner.post('/sdk/events/list', { projectId: id, ...body })
      assert.equal(response.status, 200, response.text)
      return response.json<EventPage>()
    }
    const pay = async (fields: Partial<Order> = {}): Promise<string> => {
      const outcome = await confirmPayment(deps, newOrder(id, fields))
      assert.equal(outcome.kind, 'payment')
      return outcome.kind === 'payment' ? outcome.payment.id : ''
    }
    return { id, list, pay }
  }

  const typesOf = (items: readonly EventView[]) => items.map(({ type }) => type)
  return { deps, db, owner, addProject, typesOf }
}
