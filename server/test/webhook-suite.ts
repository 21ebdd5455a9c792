// Tests for the webhooks of every upstream: a signed report must also match the payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend } from '../src/backends/backend.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import type { PaymentDeps } from '../src/payments/deps.ts'
import type { Payment } from '../src/payments/payment.ts'
import { openPayment } from '../src/payments/payments-store.ts'
import { countIncidents, newOrder, requirePayment } from './payments.ts'

export type OpenPayment = (fields?: { mode?: 'live' | 'test'; backend?: Backend['name'] }) => Promise<Payment>

export function createOpener(deps: PaymentDeps, projectId: string, backend: Backend['name']): OpenPayment {
  return async (fields = {}) => {
    const order = newOrder(projectId, { mode: fields.mode ?? 'live' })
    return (await openPayment(deps.db, newUuidV7(deps.clock), order, fields.backend ?? backend))!
  }
}

export interface WebhookWorld {
  deps: PaymentDeps
  open: OpenPayment
  /** Another upstream. Reports about its payments must be refused. */
  other: Backend['name']
  /** Sends a correctly signed report that the payment of 15.00 EUR succeeded. `changes` replaces fields of the report. */
  send: (
    id: string,
    changes?: { amount?: number; currency?: string; projectId?: string },
  ) => Promise<{ status: number; code: string | undefined }>
}

export function testWebhook({ deps, open, other, send }: WebhookWorld): void {
  const { db } = deps

  for (const [caseName, changes] of [
    ['a changed amount', { amount: 1 }],
    ['another currency', { currency: 'RSD' }],
    ["another merchant's project", { projectId: 'kxxxxxxxxxxxxxxxxxxxxxxx' }],
  ] as const) {
    test(`a signed webhook with ${caseName} raises an incident and leaves the payment open`, async () => {
      const { id } = await open()
      assert.deepEqual(await send(id, changes), { status: 200, code: undefined })
      assert.equal((await requirePayment(db, id)).state, 'processing')
      assert.equal(await countIncidents(db, 'mismatch', id), 1)
    })
  }

  test('a webhook about an unknown payment, or about a payment of another upstream, gets 404 and raises an incident', async () => {
    const testPayment = await open({ mode: 'test', backend: 'sandbox' })
    const otherPayment = await open({ backend: other })
    for (const id of [newUuidV7(deps.clock), "'; drop table", testPayment.id, otherPayment.id]) {
      assert.deepEqual(await send(id), { status: 404, code: 'not_found' })
      assert.equal(await countIncidents(db, 'unknown_payment', id), 1)
    }
    for (const { id } of [testPayment, otherPayment])
      assert.equal((await requirePayment(db, id)).state, 'processing')
  })
}
