import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import { toReference } from '../payments/payment.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { reconcile } from './reconcile.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end, open } = createPaymentFixtures(deps, projectId)

const run = async (...args: string[]) => toPrinted(await reconcile.run(deps, args))

test('without open payments nothing is looked up', async () => {
  assert.equal((await run()).text, 'No payment is open.')
})

test('the table shows the result of each lookup, and the exit code is 1 if one got no response', async () => {
  const upstream = scriptUpstream(deps)
  const charged = await open()
  const unresponsive = await open()
  upstream.backend.find = async (id) => {
    if (id === unresponsive.id) throw new Error('connect ECONNREFUSED\u0007')
    return toCharge(charged)
  }
  const { text, exitCode } = await run()
  assert.equal(exitCode, 1)
  const lines = text.split('\n')
  assert.match(lines[0]!, /^TRANSACTION +REFERENCE +UPSTREAM +REPORTED +STATE +COUNTS AS$/)
  const lineOf = (id: string) => lines.find((line) => line.startsWith(`${id}  ${toReference(id)}`))!
  assert.match(lineOf(charged.id), /succeeded +processing → succeeded +paid$/)
  assert.match(lineOf(unresponsive.id), /connect ECONNREFUSED\? +processing +open$/)
  assert.equal(lines.at(-1), '2 looked up, 1 without a response.')
  assert.equal((await requirePayment(db, charged.id)).state, 'succeeded')
  upstream.backend.find = async () => toCharge(unresponsive)
  assert.equal((await run()).exitCode, 0)
})

test('a dry run looks payments up and records nothing', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await open()
  upstream.findResult = toCharge(payment)
  const { text } = await run('--transaction', payment.id, '--dry-run')
  assert.match(
    text,
    /succeeded +processing +open\n1 looked up, 0 without a response\.\nDry run: nothing was recorded\.$/,
  )
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
  // Ends the payment, so that it is not open in the tests below.
  await run()
})

test('while payments are stopped after a restore, only a dry run looks payments up', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await open()
  upstream.findResult = toCharge(payment)
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  await assert.rejects(run(), GateClosedError)
  await assert.rejects(run('--transaction', payment.id), GateClosedError)
  assert.match((await run('--dry-run')).text, /1 looked up/)
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
  assert.match((await run()).text, /processing → succeeded/)
})

test('with --transaction, a failed payment is looked up, and put in review if it was charged', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await end('failed')
  upstream.findResult = toCharge(payment, { chargeId: 'late' })
  const { text } = await run('--transaction', toReference(payment.id))
  assert.match(text, /succeeded +failed +in review\n/)
})

test('lookups above the upstream’s quota are left to the service', async () => {
  const upstream = scriptUpstream(deps)
  const payments = [await open(), await open(), await open()]
  upstream.backend.find = async (id) => toCharge(payments.find((one) => one.id === id)!)
  Object.assign(upstream.backend, { quota: { perSec: 1, burst: 2, waitingPerSec: 1, waitingBurst: 2 } })
  const { text } = await run()
  assert.match(text, /2 looked up, 0 without a response\.\n1 left to the service/)
})

test('an unknown payment and wrong arguments are refused', async () => {
  await assert.rejects(run('--transaction', 'nothing'), RefusedError)
  for (const args of [['all'], ['--transaction'], ['--every']]) await assert.rejects(run(...args), UsageError)
})

test('flags that need --since are refused without --since, and nothing is looked up', async () => {
  const upstream = scriptUpstream(deps)
  const { id } = await open()
  let lookups = 0
  upstream.backend.find = async () => {
    lookups += 1
    return null
  }
  for (const flag of ['--accept-unlisted', '--accept-failed'])
    for (const args of [[flag], [flag, '--transaction', id]])
      await assert.rejects(
        run(...args),
        (error) =>
          error instanceof UsageError &&
          error.message.startsWith(`"reconcile without --since" does not take ${flag}. `),
      )
  assert.equal(lookups, 0)
})

test('at most four payments are looked up at the same time', async () => {
  const upstream = scriptUpstream(deps)
  for (let n = 0; n < 9; n += 1) await open()
  let [running, most] = [0, 0]
  upstream.backend.find = async (id) => {
    running += 1
    most = Math.max(most, running)
    const payment = await requirePayment(db, id)
    running -= 1
    return toCharge(payment)
  }
  assert.equal((await run()).exitCode, 0)
  assert.equal(most, 4)
})
