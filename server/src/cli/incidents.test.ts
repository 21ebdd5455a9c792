import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, newDecision } from '../../test/resolving.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { toReference } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { RefusedError, toPrinted } from './command.ts'
import { incidents } from './incidents.ts'

const { deps, projectId } = await startPayments()
const { end, open } = createPaymentFixtures(deps, projectId)
const run = async (...args: string[]) => toPrinted(await incidents.run(deps, args)).text

async function raise(kind: 'charged_after_end' | 'mismatch', id: string): Promise<void> {
  const facts = { said: 'succeeded', saidCharge: null }
  await raiseIncident(deps, { kind, transactionId: id, subject: id, facts }, { needsReview: true })
}

test('an incident is shown with the command that ends it, and cannot be closed while its payment is in review', async () => {
  assert.equal(await run('list'), 'None.')
  const payment = await end('failed', { customId: 'held' })
  await raise('charged_after_end', payment.id)
  await raise('charged_after_end', payment.id)
  const [line, command] = (await run('list')).split('\n')
  assert.match(line!, /^1 {2}\S+Z {2}charged_after_end ×2 {2}/)
  assert.ok(line!.endsWith(toReference(payment.id)))
  const resolve = `npm run pazar -- payments resolve ${payment.id} --as paid|unpaid --reason "…"`
  assert.equal(command!.trim(), resolve)
  const shown = await run('show', '1')
  assert.match(
    shown,
    /^Incident 1: The payment provider charged a payment that had already ended without success\.\n/,
  )
  assert.match(shown, /\n {2}the upstream reported: succeeded\n {2}reported charge: -\n/)
  assert.ok(shown.includes(`To end it: ${resolve}\n`))
  assert.ok(shown.endsWith(`npm run pazar -- payments show ${payment.id}`))
  for (const more of [[], ['--dry-run']])
    await assert.rejects(
      run('close', '1', ...more),
      (error) =>
        error instanceof RefusedError && error.message.includes(`payments resolve ${payment.id} --as`),
    )
  assert.equal((await requirePayment(deps.db, payment.id)).needsReview, true)
  await assert.rejects(open({ customId: payment.customId }), /another payment blocks/)
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(await run('list'), 'None.')
  assert.match(await run('list', '--all'), /^1 .*, closed {2}/)
})

test('an incident without a payment is resolved by closing it', async () => {
  const facts = { saidId: 'x' }
  await raiseIncident(deps, { kind: 'unknown_payment', transactionId: null, subject: 'x\u001b[2J', facts })
  const [line, command] = (await run('list')).split('\n')
  const id = line!.split(' ')[0]!
  assert.ok(line!.endsWith('x?[2J'))
  assert.equal(command!.trim(), `npm run pazar -- incidents close ${id}`)
  assert.match(await run('close', id, '--dry-run'), /Dry run: it would be closed; nothing was changed\.$/)
  assert.match(await run('close', id), /closed: 2\d{3}-/)
})

test('for an upstream that is no longer configured, the advice is to restore its settings first', async () => {
  const payment = await open()
  const facts = {
    backend: 'http',
    account: 'https://old.example',
    setting: 'BACKENDS_KEPT=http, BACKEND_URL',
  }
  const restoreAdvice =
    'restore the upstream http with the account https://old.example (BACKENDS_KEPT=http, BACKEND_URL); only if it is gone for good: npm run pazar -- '
  const subjects = [
    [payment.id, `payments resolve ${payment.id} --as paid|unpaid --reason "…"`],
    [null, 'incidents close'],
  ] as const
  for (const [transactionId, last] of subjects) {
    const subject = transactionId ?? 'http https://old.example'
    await raiseIncident(deps, { kind: 'upstream_missing', transactionId, subject, facts })
    const [line, command] = (await run('list')).split('\n')
    assert.ok(command!.trim().startsWith(restoreAdvice + last), command)
    const text = 'update incidents set closed_at = now() where id = $1'
    await rows(deps.db, text, [line!.split(' ')[0]])
  }
})

test('an incident of an open payment cannot be closed; the refusal names the command that ends the payment', async () => {
  const payment = await open()
  await raise('mismatch', payment.id)
  const id = (await run('list')).split(' ')[0]!
  await assert.rejects(
    run('close', id),
    (error) => error instanceof RefusedError && error.message.includes(`payments resolve ${payment.id} --as`),
  )
  assert.equal((await requirePayment(deps.db, payment.id)).needsReview, true)
})

test('an incident of an open payment cannot be closed, even if the payment is not in review', async () => {
  const { id: transactionId } = await open()
  const facts = { said: 'no_response' }
  await raiseIncident(deps, { kind: 'unresolved', transactionId, subject: transactionId, facts })
  const id = (await run('list')).split(' ')[0]!
  for (const more of [[], ['--dry-run']])
    await assert.rejects(run('close', id, ...more), {
      name: 'RefusedError',
      message: /is still open.*payments resolve/,
    })
  assert.match(await run('show', id), /\n {2}closed: -\n/)
})

for (const args of [
  [],
  ['list', '--every'],
  ['list', '1'],
  ['list', '--dry-run'],
  ['list', '--limit', '0'],
  ['show', '1', '--limit', '5'],
  ['show'],
  ['show', 'x'],
  ['show', '0'],
  ['show', '1', '--all'],
  ['show', '1', '--dry-run'],
  ['close', '1', '2'],
  ['open', '1'],
]) {
  test(`"incidents ${args.join(' ')}" is refused with the usage`, async () => {
    await assert.rejects(run(...args), /Usage: npm run pazar -- incidents/)
  })
}

test('a verb refuses a flag that it does not use, and names the flag', async () => {
  for (const [verb, ...args] of [
    ['list', '--dry-run'],
    ['show', '--all', '1'],
    ['show', '--dry-run', '1'],
    ['close', '--limit', '1', '1'],
  ] as const)
    await assert.rejects(run(verb, ...args), {
      name: 'UsageError',
      message: new RegExp(`^"incidents ${verb}" does not take ${args[0]}\\. Usage: `),
    })
})

test('the list says how many incidents it left out', async () => {
  for (let n = 0; n < 101; n += 1)
    await raiseIncident(deps, { kind: 'unknown_payment', transactionId: null, subject: `s${n}`, facts: {} })
  const total = Number((/--limit (\d+)/.exec((await run('list')).split('\n').at(-1)!) ?? [])[1])
  assert.ok(total > 100)
  const olderCount = total - 100
  assert.ok(
    (await run('list')).endsWith(`\n… and ${olderCount} more, all older; --limit ${total} lists them too`),
  )
  const wholeList = await run('list', '--limit', String(total))
  assert.ok(!wholeList.includes(' more, all older'))
  assert.equal(wholeList.split('\n').length, total * 2)
})

test('an unknown incident is refused', async () => {
  await assert.rejects(run('show', '999'), RefusedError)
  await assert.rejects(run('close', '999'), RefusedError)
})
