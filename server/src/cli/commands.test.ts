import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmEmail, rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import { scriptUpstream } from '../../test/resolving.ts'
import { insertPayments } from '../../test/transactions.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Incident } from '../payments/incidents-store.ts'
import type { Payment } from '../payments/payment.ts'
import { toAdvice, toEndingCommand } from './advice.ts'
import { checkCallbacks } from './check-callbacks.ts'
import { closeAccountCommand } from './close-account.ts'
import type { Command } from './command.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { currency } from './currency.ts'
import { feed } from './feed.ts'
import { invite } from './invite.ts'
import { toStatusText } from './payments.ts'
import { reconcile } from './reconcile.ts'
import { verify } from './verify.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const service = await startTestService()
const { deps } = service
const { db } = deps

const run = async (command: Command, ...args: string[]) => toPrinted(await command.run(deps, args))
const isUsage = (error: unknown) => error instanceof UsageError

const listAudit = async (action: string) =>
  rows<{ actor: string; account_id: string | null; changes: unknown }>(
    db,
    'select actor, account_id, changes from audit_events where action = $1 order by id',
    [action],
  )

test('"verify" records once that an owner is verified, with an audit entry of the operator', async () => {
  const owner = await signUp(service.app)
  const unconfirmed = `${owner.email} is verified.
This address is not confirmed. Make sure that the account was not opened by somebody else.`
  assert.equal((await run(verify, owner.email.toUpperCase())).text, unconfirmed)
  await confirmEmail(deps.db, owner)
  assert.equal((await run(verify, owner.email)).text, `${owner.email} is verified.`)
  await run(verify, owner.email)
  const found = await rows<{ id: string; verified: boolean }>(
    db,
    'select id, kyc_verified_at is not null as verified from accounts where email = $1',
    [owner.email],
  )
  assert.equal(found[0]?.verified, true)
  assert.deepEqual(
    (await listAudit('kyc_verified')).map((one) => [one.actor, one.account_id]),
    [['operator', found[0].id]],
  )
  await assert.rejects(run(verify), isUsage)
  await assert.rejects(run(verify, owner.email, 'more'), isUsage)
  await assert.rejects(
    run(verify, 'nobody@example.com'),
    (error) => error instanceof RefusedError && /No account has this email address/.test(error.message),
  )
})

test('"invite" creates an account and mails a link, in Montenegrin by default', async () => {
  assert.match((await run(invite, 'gost@example.com')).text, /is on its way to gost@example\.com/)
  await run(invite, 'guest@example.com', 'en')
  const found = await rows(
    db,
    `select a.email, a.locale, m.kind from accounts a join mails m on m.to_address = a.email
     where a.email in ('gost@example.com', 'guest@example.com') order by a.email`,
  )
  assert.deepEqual(found, [
    { email: 'gost@example.com', locale: 'cnr', kind: 'reset_password' },
    { email: 'guest@example.com', locale: 'en', kind: 'reset_password' },
  ])
  for (const args of [[], ['no address'], ['a@example.com', 'de'], ['a@example.com', 'en', 'more']])
    await assert.rejects(run(invite, ...args), isUsage, args.join(' '))
})

test('an account is not closed while a payment is open or a callback is queued', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const [open] = await insertPayments(deps, id, [{ state: 'processing', mode: 'test' }])
  await assert.rejects(run(closeAccountCommand, owner.email), /Not closed: a payment is open or in review/)
  await rows(db, 'delete from transactions where id = $1', [open])
  const paid = await confirmPayment(deps, newOrder(id, { mode: 'test' }))
  assert.equal(paid.kind, 'payment')
  await assert.rejects(run(closeAccountCommand, owner.email), /Not closed: callbacks are still queued/)
  await changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now() where project_id = $1`,
    [id],
  )
  assert.match((await run(closeAccountCommand, owner.email)).text, /is closed\. A confirmation is mailed/)
  await assert.rejects(run(closeAccountCommand, owner.email), /No account has this email address/)
  await assert.rejects(run(closeAccountCommand), isUsage)
  await assert.rejects(run(closeAccountCommand, owner.email, 'more'), isUsage)
})

test('check-callbacks names a payment that ended without a callback, and exits with 1', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  await rows(db, 'truncate transactions cascade')
  assert.deepEqual(await run(checkCallbacks), {
    text: 'Payments checked: 0. No result is missing.',
    exitCode: 0,
  })
  const [lost] = await insertPayments(deps, id, [{ state: 'failed' }])
  const found = await run(checkCallbacks)
  assert.equal(found.exitCode, 1)
  assert.match(found.text, new RegExp(`Payments checked: 1\\. Missing results: 1\n[^]*${lost} +no callback`))
  assert.equal((await rows(db, `select from incidents where kind = 'callbacks_lost'`)).length, 1)
  await assert.rejects(run(checkCallbacks, 'all'), isUsage)
})

test('"reconcile" looks up every open payment, and exits with 1 if one of the lookups got no response', async () => {
  await rows(db, 'truncate transactions cascade')
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const { backends } = deps
  const upstream = scriptUpstream(deps)
  try {
    await insertPayments(
      deps,
      id,
      Array.from({ length: 9 }, () => ({ state: 'processing' as const })),
    )
    let lookups = 0
    upstream.backend.find = async () => {
      lookups += 1
      if (lookups === 9) throw new Error('no response')
      return null
    }
    const found = await run(reconcile, '--dry-run')
    assert.equal(lookups, 9)
    assert.match(found.text, /9 looked up, 1 without a response\.\nDry run: nothing was recorded\./)
    assert.equal(found.exitCode, 1)
  } finally {
    deps.backends = backends
  }
})

test('a change of the currency adds an audit entry; a change to the current currency adds none', async () => {
  assert.equal((await run(currency, 'show')).text, 'EUR:2')
  assert.equal((await run(currency, 'change', 'EUR:2')).text, 'It is EUR:2 already.')
  assert.deepEqual(await listAudit('currency_changed'), [])
  const openCount = (
    await rows(db, `select from transactions where state in ('processing', 'requires_action')`)
  ).length
  const { text } = await run(currency, 'change', 'JPY:0')
  assert.match(text, /^Changed from EUR:2 to JPY:0\./)
  assert.ok(text.includes(`including those that are open now (${openCount})`))
  assert.match(text, /CURRENCY=JPY AMOUNT_SCALE=0/)
  assert.equal((await run(currency, 'show')).text, 'JPY:0')
  assert.deepEqual(await listAudit('currency_changed'), [
    { actor: 'operator', account_id: null, changes: { from: 'EUR:2', to: 'JPY:0' } },
  ])
  for (const args of [
    [],
    ['show', 'EUR:2'],
    ['change'],
    ['change', 'eur:2'],
    ['change', 'EUR:5'],
    ['change', 'EURO:2'],
    ['change', 'EUR:2', 'more'],
    ['set', 'EUR:2'],
  ])
    await assert.rejects(run(currency, ...args), isUsage, args.join(' '))
})

test('"feed restart" starts a new epoch, and other arguments are refused', async () => {
  const countEpochs = async () => (await rows(db, 'select from feed_epochs')).length
  const epochsBefore = await countEpochs()
  for (const args of [[], ['stop'], ['restart', 'now'], ['restart', '--since', 'now']])
    await assert.rejects(run(feed, ...args), isUsage, args.join(' '))
  assert.equal(await countEpochs(), epochsBefore)
  assert.match((await run(feed, 'restart')).text, /refused with cursor_expired/)
  assert.equal(await countEpochs(), epochsBefore + 1)
})

const payment = { id: 'p1', state: 'failed', needsReview: false, resolution: null } as Payment
const incident: Incident = {
  id: 7,
  kind: 'mismatch',
  transactionId: null,
  subject: 'p1',
  facts: {},
  times: 1,
  createdAt: new Date(0),
  lastAt: new Date(0),
  closedAt: null,
}

test('a payment counts as open, paid, unpaid, in review or resolved', () => {
  const findStatus = (fields: Partial<Payment>) => toStatusText({ ...payment, ...fields })
  assert.equal(findStatus({ state: 'processing' }), 'open')
  assert.equal(findStatus({}), 'unpaid')
  assert.equal(findStatus({ state: 'succeeded' }), 'paid')
  assert.equal(findStatus({ needsReview: true }), 'in review')
  assert.equal(findStatus({ state: 'succeeded', needsReview: true }), 'paid, in review')
  assert.equal(findStatus({ resolution: 'paid' }), 'resolved paid')
  assert.equal(findStatus({ state: 'succeeded', resolution: 'unpaid' }), 'resolved unpaid')
})

test('the advice about an incident is to resolve its payment if the payment is open or in review, and otherwise to close the incident', () => {
  const close = 'npm run pazar -- incidents close 7'
  const resolve = 'npm run pazar -- payments resolve p1 --as paid|unpaid --reason "…"'
  assert.equal(toEndingCommand(incident, null), close)
  assert.equal(toEndingCommand(incident, payment), close)
  assert.equal(toEndingCommand(incident, { ...payment, needsReview: true }), resolve)
  assert.equal(toEndingCommand(incident, { ...payment, state: 'requires_action' }), resolve)
  assert.match(toEndingCommand({ ...incident, kind: 'delivery_stopped' }, null), /ROLE=delivery, then: /)
  const unchecked = {
    ...incident,
    kind: 'restore_unchecked',
    facts: { since: '2026-11-16T11:50:00.123Z' },
  } as const
  assert.equal(
    toEndingCommand(unchecked, null),
    `npm run pazar -- reconcile --since 2026-11-16T11:50:00Z, then: ${close}`,
  )
  const missingUpstream = {
    ...incident,
    kind: 'upstream_missing',
    facts: { backend: 'http', account: 'a', setting: 'B' },
  } as const
  assert.equal(
    toEndingCommand(missingUpstream, null),
    `restore the upstream http with the account a (B); only if it is gone for good: ${close}`,
  )
  assert.equal(toAdvice(payment, []), 'Nothing is left to do.')
  assert.equal(toAdvice(payment, [{ ...incident, closedAt: new Date(0) }]), 'Nothing is left to do.')
  assert.match(
    toAdvice({ ...payment, state: 'processing' }, []),
    /looked up automatically.*--transaction p1$/,
  )
  assert.equal(toAdvice(payment, [incident]), `To end it:\n  ${close}`)
  assert.equal(toAdvice({ ...payment, needsReview: true }, []), `To end it:\n  ${resolve}`)
})
