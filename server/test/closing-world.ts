import assert from 'node:assert/strict'
import { Client, signUp } from './client.ts'
import { startTestService } from './harness.ts'
import { newOrder } from './payments.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import { changeCallbacks } from './stored-forms.ts'

export async function startClosingWorld() {
  const service = await startTestService()
  const { app, deps } = service
  const { db } = deps

  async function pay(projectId: string, fields: Parameters<typeof newOrder>[1] = {}): Promise<string> {
    const outcome = await confirmPayment(deps, newOrder(projectId, fields))
    assert.equal(outcome.kind, 'payment')
    return outcome.kind === 'payment' ? outcome.payment.id : ''
  }

  async function deliverAll(projectId: string): Promise<void> {
    await changeCallbacks(
      db,
      `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where project_id = $1`,
      [projectId],
    )
  }

  async function ownerWithProject(): Promise<{ owner: Client; id: string }> {
    const owner = await signUp(app)
    const { id } = await owner.addProject()
    return { owner, id }
  }

  function fieldOf(response: { json<T>(): T }): string {
    const { errors } = response.json<{ errors: { path: string; code: string }[] }>()
    return `${errors[0]?.path} ${errors[0]?.code}`
  }
  const close = (owner: Client, email = owner.email) => owner.post('/portal/api/account/close', { email })
  return { service, app, deps, db, pay, deliverAll, ownerWithProject, fieldOf, close }
}
