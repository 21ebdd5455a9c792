import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOrder, requireStored, startPayments } from '../../test/payments.ts'
import { newUuidV7 } from '../lib/id.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { toReference } from '../payments/payment.ts'
import { openPayment } from '../payments/payments-store.ts'
import { UsageError } from './command.ts'
import { incidents } from './incidents.ts'

const { deps, projectId } = await startPayments()
const payment = (await openPayment(deps.db, newUuidV7(deps.clock), newOrder(projectId), 'sandbox'))!
const run = (...args: string[]) => incidents.run(deps, args)

test('an incident is listed, shown and closed; closing ends the review', async () => {
  assert.equal(await run('list'), 'None.')
  const facts = { said: 'succeeded', saidCharge: null }
  const incident = {
    kind: 'charged_after_end',
    transactionId: payment.id,
    subject: payment.id,
    facts,
  } as const
  await raiseIncident(deps, incident, { needsReview: true })
  await raiseIncident(deps, incident, { needsReview: true })
  const line = await run('list')
  assert.match(line, /^1 {2}\S+Z {2}charged_after_end ×2 {2}/)
  assert.ok(line.endsWith(toReference(payment.id)))
  const shown = await run('show', '1')
  assert.match(
    shown,
    /^Incident 1: The upstream charged a payment that had already ended without success\.\n/,
  )
  assert.match(shown, /\n {2}said: succeeded\n {2}saidCharge: -$/)
  assert.match(await run('close', '1'), /closed: 2\d{3}-/)
  assert.equal((await requireStored(deps.db, payment.id)).needsReview, false)
  assert.equal(await run('list'), 'None.')
  assert.match(await run('list', '--all'), /^1 .*, closed {2}/)
})

for (const args of [
  [],
  ['list', '--every'],
  ['show'],
  ['show', 'x'],
  ['show', '0'],
  ['close', '1', '2'],
  ['open', '1'],
]) {
  test(`"incidents ${args.join(' ')}" says how the command goes`, async () => {
    await assert.rejects(run(...args), /Usage: npm run pazar -- incidents/)
  })
}

test('an incident that is not there is said so', async () => {
  await assert.rejects(run('show', '999'), UsageError)
  await assert.rejects(run('close', '999'), UsageError)
})
