import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { listCallbacks, requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { toReference } from '../payments/payment.ts'
import { recordReport } from '../payments/record-report.ts'
import { RefusedError, toPrinted } from './command.ts'
import { payments } from './payments.ts'
import { resolve as askAndResolve } from './resolve.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end, makeLateCharge, open } = createPaymentFixtures(deps, projectId)
const run = async (...args: string[]) => toPrinted(await payments.run(deps, args)).text
const runResolve = (id: string, resolution: string, ...more: string[]) =>
  run('resolve', id, '--as', resolution, '--reason', 'Seen in the dashboard', ...more)

async function resolve(id: string, resolution: string, ...more: string[]): Promise<string> {
  const seen = /--seen (\w+)$/.exec(await runResolve(id, resolution, ...more, '--dry-run'))?.[1]
  return runResolve(id, resolution, '--yes', ...(seen === undefined ? [] : ['--seen', seen]), ...more)
}

const isRefused = (part: RegExp) => (error: unknown) =>
  error instanceof RefusedError && part.test(error.message)

test('"resolve" stores the decision and sends a callback; the same decision again sends nothing', async () => {
  const payment = await makeLateCharge()
  const output = await resolve(payment.id, 'paid', '--by', 'ana')
  const [, secondCallback] = (await listCallbacks(db, payment.id)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  assert.ok(
    output.endsWith(
      `Payment ${payment.id} is resolved as paid. Callback ${secondCallback!.id} is on its way.`,
    ),
  )
  const shown = await run('show', payment.id)
  assert.match(shown, /decision: paid, by ana: Seen in the dashboard/)
  assert.match(shown, /resolved as paid by ana: Seen in the dashboard/)
  assert.match(shown, /incident \d+ closed/)
  assert.match(await resolve(payment.id, 'paid'), /was resolved as paid at .*nothing was sent\.$/)
})

test('a dry run says what would happen and changes nothing', async () => {
  const payment = await makeLateCharge({ customId: 'order-dry' })
  const output = await runResolve(payment.id, 'unpaid', '--dry-run')
  assert.match(output, /it counts as unpaid from now on, by operator: Seen in the dashboard/)
  assert.match(output, /customId order-dry, 1500 EUR, state failed:/)
  assert.match(output, /this result was already sent or is queued; there is no further callback/)
  assert.match(
    output,
    new RegExp(`Note: the upstream reported a charge of 1500 EUR \\(late_${payment.id}\\) at `),
  )
  assert.match(output, /Note: unpaid means that you have returned what was charged/)
  assert.match(output, /Dry run: nothing was changed\. To act without being asked: --yes --seen \w{8}$/)
  assert.equal((await requirePayment(db, payment.id)).resolution, null)
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
})

test('an open payment can be resolved if its upstream does not respond, and the output says that there was no response', async () => {
  scriptUpstream(deps)
  const payment = await open()
  const incident = { kind: 'unresolved', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  assert.match(
    await runResolve(payment.id, 'unpaid', '--dry-run'),
    /it is looked up again.* its state becomes failed/,
  )
  assert.match(
    await resolve(payment.id, 'unpaid'),
    /resolved as unpaid\. .*Lookup at the upstream: no response \(no response within 10 s\)\. The payment is looked up every hour until the upstream confirms/,
  )
})

test('"resolve" points out that the upstream charged another amount, and that payment data was erased', async () => {
  scriptUpstream(deps)
  const otherAmount = await open()
  await recordReport(deps, otherAmount, toCharge(otherAmount, { amount: 1400n, chargeId: 'ch' }))
  const amountNote =
    /Note: the upstream reported a charge of 1400 EUR \(ch\) at .*; the callback reports the order's amount, 1500 EUR\./
  assert.match(await runResolve(otherAmount.id, 'paid', '--dry-run'), amountNote)
  assert.match(await resolve(otherAmount.id, 'paid'), amountNote)
  await deps.erasedOrders.begin()
  const erased = await makeLateCharge({ customId: 'old' })
  await rows(db, `update transactions set custom_id_hash = '\\x00' where id = $1`, [erased.id])
  const erase = 'update transactions set custom_id = null, data = null, erased_at = now() where id = $1'
  await rows(db, erase, [erased.id])
  const textsNote = /Note: the texts of this payment were erased; the callback has no customId/
  assert.match(await runResolve(erased.id, 'paid', '--dry-run'), textsNote)
  assert.match(await resolve(erased.id, 'paid'), textsNote)
  assert.doesNotMatch(await resolve((await makeLateCharge()).id, 'paid'), /order's amount|erased/)
})

test('"resolve" finds a payment by its exact id, reference, customId or charge, but not by a part of them or by its data', async () => {
  const payment = await makeLateCharge({ customId: 'exact-77', data: 'Order seventy' })
  for (const text of ['exact-7', 'Order seventy', 'Order'])
    await assert.rejects(
      runResolve(text, 'paid', '--dry-run'),
      isRefused(/^No payment has exactly the id/),
      text,
    )
  await makeLateCharge({ customId: 'exact-777' })
  for (const text of [payment.id, toReference(payment.id), 'exact-77', `late_${payment.id}`])
    assert.match(await runResolve(text, 'paid', '--dry-run'), new RegExp(`^Payment ${payment.id}`), text)
})

test('without a terminal, --seen is required; its code is refused if the upstream reported something after the code was printed', async () => {
  const payment = await makeLateCharge()
  await assert.rejects(
    runResolve(payment.id, 'unpaid'),
    /there is no terminal on which to confirm.* --yes --seen \w{8}$/s,
  )
  await assert.rejects(
    runResolve(payment.id, 'unpaid', '--yes'),
    /--yes also needs --seen.* --yes --seen \w{8}$/s,
  )
  const seen = /seen code: (\w{8})/.exec(await run('show', payment.id))![1]!
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'another' }))
  await assert.rejects(
    runResolve(payment.id, 'unpaid', '--yes', '--seen', seen),
    isRefused(/^More was reported about payment .* Nothing was changed\./),
  )
  assert.equal((await requirePayment(db, payment.id)).resolution, null)
})

test('a decision is refused if a report arrives while the operator is asked to confirm it', async () => {
  const payment = await makeLateCharge()
  const decision = { as: 'unpaid', reason: 'Seen in the dashboard', by: 'ana', isForced: false } as const
  const confirm = async () => {
    await recordReport(deps, payment, toCharge(payment, { chargeId: 'another' }))
    return true
  }
  const options = { isDry: false, evidenceCode: null, isSure: false }
  await assert.rejects(
    askAndResolve(deps, payment.id, decision, options, confirm),
    isRefused(/^More was reported about payment/),
  )
  assert.equal((await requirePayment(db, payment.id)).resolution, null)
})

test('a refusal to resolve a payment says why', async () => {
  const settled = await end('succeeded')
  await assert.rejects(resolve(settled.id, 'unpaid'), isRefused(/nothing about it is in doubt/))
  const openPayment = await open()
  await assert.rejects(resolve(openPayment.id, 'paid'), isRefused(/reconcile --transaction/))
  const chargedLate = await makeLateCharge({ customId: 'held' })
  await rows(db, 'update transactions set needs_review = false where id = $1', [chargedLate.id])
  const paid = await end('succeeded', { customId: 'held' })
  await rows(db, 'update transactions set needs_review = true where id = $1', [chargedLate.id])
  await assert.rejects(
    resolve(chargedLate.id, 'paid'),
    isRefused(new RegExp(`payment ${paid.id} \\(succeeded\\) of the same order`)),
  )
  await assert.rejects(resolve(chargedLate.id, 'refund'), isRefused(/^A refund is not a decision/))
})
