import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { startTestService } from '../test/harness.ts'
import { addPayProject } from '../test/payer.ts'
import { newOrder } from '../test/payments.ts'
import { until } from '../test/until.ts'
import { UnknownOutcomeError } from './backends/backend.ts'
import { startBackground } from './background.ts'
import { newUuidV7 } from './lib/id.ts'
import { confirmPayment } from './payments/confirm.ts'
import { openPayment } from './payments/payments-store.ts'

const { deps } = await startTestService()

test('an upstream in BACKENDS_KEPT that does not respond causes no delay of lookups at the current upstream', async () => {
  const { db } = deps
  const shop = await addPayProject(deps)
  const lookupStarted = Promise.withResolvers<void>()
  const released = Promise.withResolvers<never>()
  const previous = {
    ...deps.backends.live,
    name: 'http' as const,
    accounts: ['https://former.example'] as const,
    find: async () => {
      lookupStarted.resolve()
      return released.promise
    },
  }
  deps.backends = { ...deps.backends, previous: [previous] }
  const order = newOrder(shop.id, { customId: 'previous' })
  await openPayment(db, newUuidV7(deps.clock), order, 'http', 'https://former.example')
  await rows(db, 'update transactions set next_check_at = now()')
  const background = startBackground(deps)
  try {
    await lookupStarted.promise
    // The sandbox charges a payment of 4005, but the response is lost, so only a lookup can end the payment.
    const outcome = await confirmPayment(deps, newOrder(shop.id, { amount: 4005n }))
    const id = outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
    await until(
      async () =>
        (await rows(db, `select from transactions where id = $1 and state = 'succeeded'`, [id])).length === 1,
    )
  } finally {
    released.reject(new UnknownOutcomeError('the test is over'))
    await background.stop()
  }
})
