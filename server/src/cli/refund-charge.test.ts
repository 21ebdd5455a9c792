import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, scriptUpstream, toCharge } from '../../test/resolving.ts'
import type { NewRefund } from '../backends/backend.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { recordReport } from '../payments/record-report.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { payments } from './payments.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end, makeLateCharge, open } = createPaymentFixtures(deps, projectId)
const run = async (...args: string[]) => toPrinted(await payments.run(deps, args)).text

const sandbox = deps.backends
const sentRefunds: NewRefund[] = []
deps.backends = {
  ...sandbox,
  live: {
    ...sandbox.live,
    refunds: {
      ...sandbox.live.refunds!,
      async refund(refund) {
        sentRefunds.push(refund)
        const rest = { upstreamRef: `rf_${refund.id}`, pendingReason: null, failureCode: null }
        return { ...refund, status: 'succeeded', ...rest }
      },
    },
  },
}

test('refund-charge refunds the named charge once, and records the reason and the name of the operator', async () => {
  const payment = await makeLateCharge({ customId: 'late-1' })
  const chargeId = `late_${payment.id}`
  const args = ['refund-charge', 'late-1', '--charge', chargeId, '--reason', ' Charged late ', '--by', 'ana']
  const first = await run(...args)
  assert.match(first, new RegExp(`^Refund re_\\w+ of charge ${chargeId}, 1500 EUR: succeeded\\.$`))
  assert.equal(await run(...args), first)
  assert.deepEqual(
    sentRefunds.map((one) => [one.paymentId, one.chargeId, one.amount]),
    [[payment.id, chargeId, 1500n]],
  )
  const text = `select changes ->> 'reason' as reason, changes ->> 'by' as by from audit_events
    where action = 'refund_requested'`
  assert.deepEqual(await rows(db, text), [{ reason: 'Charged late', by: 'ana' }])
})

test('refund-charge accepts only the exact id or customId of a payment in review, and a charge that the upstream reported', async () => {
  const { id } = await makeLateCharge({ customId: 'late-22' })
  const refund = (name: string, charge: string) =>
    run('refund-charge', name, '--charge', charge, '--reason', 'Charged late')
  const isRefused = (part: RegExp) => (error: unknown) =>
    error instanceof RefusedError && part.test(error.message)
  await assert.rejects(refund('late-2', `late_${id}`), isRefused(/No payment has exactly the id/))
  await assert.rejects(refund('late-22', 'ch_other'), isRefused(/has reported no such charge/))
  const paid = await end('succeeded')
  await assert.rejects(refund(paid.id, `ch_${paid.id}`), isRefused(/nothing about it is in doubt/))
  for (const args of [
    [id],
    [id, '--charge', 'x'],
    [id, '--reason', 'x'],
    [id, '--charge', 'x', '--reason', ' '],
    [id, 'more', '--charge', 'x', '--reason', 'y'],
  ])
    await assert.rejects(run('refund-charge', ...args), UsageError, args.join(' '))
  assert.equal(sentRefunds.length, 1)
})

test('refund-charge sends nothing with flags that it does not use, or with a reason or a name that is too long', async () => {
  const { id } = await makeLateCharge({ customId: 'late-flags' })
  const sentBefore = sentRefunds.length
  const refuse = (why: RegExp, ...flags: string[]) =>
    assert.rejects(
      run('refund-charge', id, '--charge', `late_${id}`, ...flags),
      (error) => error instanceof UsageError && why.test(error.message),
      flags.join(' '),
    )
  for (const flag of ['--dry-run', '--force', '--yes'])
    await refuse(
      new RegExp(`^"payments refund-charge" does not take ${flag}\\. Usage: `),
      ...['--reason', 'x', flag],
    )
  await refuse(/ does not take --as\. /, '--reason', 'x', '--as', 'paid')
  await refuse(/ does not take --seen\. /, '--reason', 'x', '--seen', 'code')
  await refuse(/The reason has more than 500 characters/, '--reason', 'x'.repeat(501))
  await refuse(/The name has more than 80 characters/, '--reason', 'x', '--by', 'z'.repeat(81))
  await refuse(/^Usage: /, '--reason', 'x', '--by', ' ')
  assert.equal(sentRefunds.length, sentBefore)
  const refund = [
    'refund-charge',
    id,
    '--charge',
    `late_${id}`,
    '--reason',
    'x'.repeat(500),
    '--by',
    'z'.repeat(80),
  ]
  assert.match(await run(...refund), /: succeeded\.$/)
})

test('"show" lists the refunds and disputes of the payment, and how each ended', async () => {
  const { id } = await makeLateCharge({ customId: 'late-shown' })
  await run('refund-charge', id, '--charge', `late_${id}`, '--reason', 'Charged late')
  const dispute = {
    paymentId: id,
    upstreamRef: 'dp_1',
    status: 'open',
    amount: 700n,
    currency: 'EUR',
  } as const
  for (const status of ['open', 'lost'] as const)
    await receiveDispute(deps, deps.backends.live, {
      ...dispute,
      ...{ status, chargeId: null, reason: null, respondBy: null },
    })
  const shown = (await run('show', id)).split('\n').map((line) => line.replace(/^ *\S+ +/, ''))
  const money = shown.filter((line) => /^(?:refund|dispute) /.test(line))
  assert.deepEqual(
    money.map((line) => line.replace(/(re|dp)_\w{32}/, '$1')),
    [
      `refund re requested: 1500 EUR, charge late_${id}`,
      'refund re: succeeded',
      'dispute dp reported: 700 EUR',
      'dispute dp: lost',
    ],
  )
})

test('a decision is refused if something was refunded or disputed after the dry run; the next dry run names the refund or dispute', async () => {
  const payment = await end('succeeded')
  const second = `second_${payment.id}`
  await recordReport(deps, payment, toCharge(payment, { chargeId: second }))
  const resolve = (...more: string[]) =>
    run('resolve', payment.id, '--as', 'paid', '--reason', 'Seen in the dashboard', ...more)
  const readCode = async () => /--seen (\w+)$/.exec(await resolve('--dry-run'))![1]!
  const isChanged = (error: unknown) =>
    error instanceof RefusedError && error.message.includes('changed or was refunded')
  const seenBefore = await readCode()
  assert.match(await run('show', payment.id), new RegExp(`seen code: ${seenBefore}`))
  const own = `ch_${payment.id}`
  for (const charge of [second, own])
    await run('refund-charge', payment.id, '--charge', charge, '--reason', 'Charged twice')
  await assert.rejects(resolve('--yes', '--seen', seenBefore), isChanged)
  const seenRefunds = await readCode()
  const preview = await resolve('--dry-run')
  assert.ok(preview.includes(`Note: the payment's own charge is 1500 EUR (${own}).`), preview)
  assert.ok(preview.includes(`Note: the upstream reported a charge of 1500 EUR (${second}) at `))
  for (const charge of [second, own])
    assert.match(preview, new RegExp(`Note: refund re_\\w+ of 1500 EUR \\(${charge}\\): succeeded\\.`))
  await receiveDispute(deps, deps.backends.live, {
    paymentId: payment.id,
    upstreamRef: 'dp_2',
    status: 'open',
    amount: 700n,
    currency: 'EUR',
    chargeId: null,
    reason: null,
    respondBy: null,
  })
  await assert.rejects(resolve('--yes', '--seen', seenRefunds), isChanged)
  assert.match(await resolve('--dry-run'), /Note: dispute \w+ of 700 EUR \(ch_[\w-]+\): open\./)
})

test('with --force, a payment is resolved as paid although the upstream denies the charge, and the audit entry names the flag', async () => {
  deps.backends = sandbox
  const upstream = scriptUpstream(deps)
  const payment = await open()
  const incident = { kind: 'unresolved', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  upstream.findResult = toCharge(payment, { status: 'failed' })
  const resolve = async (...more: string[]) => {
    const args = ['resolve', payment.id, '--as', 'paid', '--reason', 'The money is here', ...more]
    const seen = /--seen (\w+)$/.exec(await run(...args, '--dry-run'))![1]!
    return run(...args, '--yes', '--seen', seen)
  }
  await assert.rejects(resolve(), /repeat the command with --force/)
  assert.equal((await requirePayment(db, payment.id)).resolution, null)
  assert.match(await resolve('--force'), /is resolved as paid\./)
  const text = `select changes ->> 'isForced' as forced from audit_events where changes ->> 'transactionId' = $1`
  assert.deepEqual(await rows(db, text, [payment.id]), [{ forced: 'true' }])
})
