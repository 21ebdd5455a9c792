import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addPayProject } from '../../test/payer.ts'
import { listCallbacks, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, toCharge } from '../../test/resolving.ts'
import { toReference } from '../payments/payment.ts'
import { recordReport } from '../payments/record-report.ts'
import { RefusedError, toHelp, toPrinted, UsageError } from './command.ts'
import { payments } from './payments.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end, makeLateCharge, open } = createPaymentFixtures(deps, projectId)
const run = async (...args: string[]) => toPrinted(await payments.run(deps, args)).text
const isRefused = (part: RegExp) => (error: unknown) =>
  error instanceof RefusedError && part.test(error.message)

test('a payment is found by each of its ids, and by the beginning of its customId or data', async () => {
  const payment = await end('failed', { customId: 'order-77', data: 'Kafa 1 kg, Podgorica' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_late' }))
  await rows(
    db,
    `insert into stripe_charges (id, amount, currency, session_id) values ($1, 1500, 'EUR', 'cs_1')`,
    [payment.id],
  )
  const [attempt] = await rows<{ attempt_id: string }>(
    db,
    'select attempt_id from transactions where id = $1',
    [payment.id],
  )
  const [callback] = await listCallbacks(db, payment.id)
  const names = [
    payment.id,
    payment.id.toUpperCase(),
    toReference(payment.id),
    toReference(payment.id).toLowerCase().replace('-', ''),
    'order-77',
    'order-7',
    'Kafa 1 kg',
    `ch_${payment.id}`,
    'ch_late',
    'cs_1',
    callback!.id,
    attempt!.attempt_id,
  ]
  for (const name of names) {
    const lines = (await run('find', name)).split('\n')
    assert.equal(lines.length, 2, name)
    assert.ok(lines[0]!.startsWith('TRANSACTION '))
    assert.ok(lines[1]!.startsWith(`${payment.id}  ${toReference(payment.id)}`), name)
    assert.match(lines[1]!, /live {2}failed {2}in review {2}1500 EUR/)
  }
})

test('"find" lists the matching payments of all projects; "show" and "resolve" refuse a text that matches two', async () => {
  const other = createPaymentFixtures(deps, (await addPayProject(deps)).id)
  const first = await end('failed', { customId: 'shared' })
  const second = await other.end('succeeded', { customId: 'shared' })
  const lines = (await run('find', 'shared')).split('\n')
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(' ')[0]),
    [second.id, first.id],
  )
  await assert.rejects(run('show', 'shared'), isRefused(/names more than one payment/))
  await assert.rejects(
    run('resolve', 'shared', '--as', 'paid', '--reason', 'x'),
    isRefused(/names more than one payment/),
  )
})

test('a list of more than twenty payments is cut off and says so', async () => {
  for (let index = 0; index < 22; index += 1) await end('failed', { customId: `many-${index}` })
  const lines = (await run('find', 'many-')).split('\n')
  // The heading, twenty payments and the last line.
  assert.equal(lines.length, 22)
  assert.equal(lines.at(-1), 'There are more; search for a longer text.')
})

test('a text that matches no payment is refused', async () => {
  for (const text of ['nothing', '%', 'msg_00000000000000000000000000000000', ' ', '\0'])
    await assert.rejects(run('find', text), isRefused(/^No payment matches/), text)
  await assert.rejects(run('show', 'nothing'), isRefused(/^No payment matches/))
})

test('"show" prints the whole history in order, and the command that resolves the payment', async () => {
  const payment = await makeLateCharge({ customId: 'order-show', data: 'x\u001b[31m' })
  const [callback] = await listCallbacks(db, payment.id)
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome, status_code)
     values ($1, $2, 1, 'https://shop.example.com', now(), 20, 'http_error', 500)`,
    [projectId, callback!.id],
  )
  const shown = await run('show', toReference(payment.id))
  const parts = [
    `Payment ${payment.id}`,
    '  data: x?[31m',
    '  counts as: in review',
    'state: processing',
    'state: failed (declined)',
    `callback ${callback!.id}: fail, pending`,
    `upstream reported: succeeded 1500 EUR, charge late_${payment.id}`,
    'raised: charged_after_end',
    `callback ${callback!.id} attempt 1: http_error 500`,
    'To end it:',
    `npm run pazar -- payments resolve ${payment.id} --as paid|unpaid --reason "…"`,
  ]
  let from = 0
  for (const part of parts) {
    const index = shown.indexOf(part, from)
    assert.ok(index >= 0, `${part} is missing or out of order:\n${shown}`)
    from = index
  }
})

test('"show" says that nothing is left to do for a paid payment, and how to look up an open one', async () => {
  assert.ok((await run('show', (await end('succeeded')).id)).endsWith('Nothing is left to do.'))
  const { id } = await open()
  assert.ok((await run('show', id)).endsWith(`npm run pazar -- reconcile --transaction ${id}`))
})

for (const args of [
  [],
  ['find'],
  ['find', 'a', 'b'],
  ['find', 'a', '--yes'],
  ['show'],
  ['show', 'x', '--as', 'paid'],
  ['resolve', 'x'],
  ['resolve', 'x', '--as', 'paid'],
  ['resolve', 'x', '--as', 'paid', '--reason', ' '],
  ['resolve', 'x', '--as', 'both', '--reason', 'y'],
  ['resolve', 'x', '--as', 'paid', '--reason', 'y', '--by', ' '],
  ['resolve', 'x', '--as', 'unpaid', '--reason', 'y', '--force'],
  ['close', 'x'],
]) {
  test(`"payments ${args.join(' ')}" is refused with the usage`, async () => {
    await assert.rejects(
      run(...args),
      (error) => error instanceof UsageError && /Usage: npm run pazar -- payments/.test(error.message),
    )
  })
}

test('a verb refuses a flag that it does not use, and names the flag', async () => {
  for (const [verb, ...flag] of [
    ['find', '--yes'],
    ['show', '--as', 'paid'],
    ['resolve', '--charge', 'ch_1'],
    ['resolve-refund', '--charge', 'ch_1'],
    ['resolve-refund', '--force'],
    ['refund-charge', '--dry-run'],
  ] as const)
    await assert.rejects(
      run(verb, 'x', ...flag),
      (error) =>
        error instanceof UsageError &&
        error.message.startsWith(`"payments ${verb}" does not take ${flag[0]}. Usage: npm run pazar`),
      `${verb} ${flag[0]}`,
    )
})

test('a reason or a name that is too long is refused as wrong usage', async () => {
  await assert.rejects(run('resolve', 'x', '--as', 'paid', '--reason', 'y'.repeat(501)), UsageError)
  await assert.rejects(
    run('resolve', 'x', '--as', 'paid', '--reason', 'y', '--by', 'z'.repeat(81)),
    UsageError,
  )
})

test('the help lists every flag and the exit codes', () => {
  const help = toHelp(payments)
  for (const part of [
    'find <text>',
    '--as paid',
    '--reason',
    '--by',
    '--force',
    '--dry-run',
    '--seen',
    '--yes',
    '--charge',
    'Exit codes',
  ])
    assert.ok(help.includes(part), part)
})
