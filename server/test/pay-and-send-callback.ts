import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import { toLink } from './payer.ts'

export async function payAndSendTestCallback(
  owner: Client,
  projectId: string,
): Promise<{ transactionId: string; callbackId: string }> {
  await owner.stepUp()
  const seen = await owner.post('/sdk/project/seeSecret', { projectId })
  const { secret } = seen.json<{ secret: string }>()
  const link = toLink(
    { id: projectId, secrets: { live: secret, test: secret } },
    { customId: 'order-1', signed: true },
  )
  const shown = await owner.get(link, { accept: 'application/json' })
  const { token } = shown.json<{ token: string }>()
  const paid = await owner.post('/pay', { token })
  assert.equal(paid.status, 200, paid.text)
  const sent = await owner.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    status: 'success',
    amount: '1500',
    to: 'listeners',
  })
  assert.equal(sent.status, 200, sent.text)
  return {
    transactionId: paid.json<{ transactionId: string }>().transactionId,
    callbackId: sent.json<{ callback: { id: string } }>().callback.id,
  }
}
