// BACKEND is changed while payments are open. Each payment stays with its upstream and account.
// Why this is long: all tests share the same upstreams.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { startBackground } from '../src/background.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import { reportMissingUpstreams } from '../src/payments/missing-upstreams.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { startTestService } from './harness.ts'
import { addPayProject } from './payer.ts'
import { newOrder, requirePayment, resolveOpenPayments } from './payments.ts'
import { signEvent, toEventObject } from './stripe-events.ts'
import { startStripeStandIn, STRIPE_KEY } from './stripe-stand-in.ts'
import { until } from './until.ts'
import { startUpstream, UPSTREAM_SECRET } from './upstream-process.ts'
import type { UpstreamProcess } from './upstream-process.ts'

const http = await startUpstream()
const stripe = await startStripeStandIn()
after(async () => {
  await http.stop()
  await stripe.close()
})

type Replica = Awaited<ReturnType<Awaited<ReturnType<typeof startTestService>>['replica']>>

async function startWorld() {
  const service = await startTestService()
  return { service, shop: await addPayProject(service.deps) }
}

async function open(deps: Deps, projectId: string, amount: bigint): Promise<string> {
  const confirmation = await confirmPayment(deps, newOrder(projectId, { amount }))
  assert.equal(confirmation.kind, 'payment')
  return 'payment' in confirmation ? confirmation.payment.id : ''
}

async function readState(deps: Deps, id: string): Promise<string> {
  return (await requirePayment(deps.db, id)).state
}

async function sendHttpWebhook({ app }: Replica, id: string, amount: string): Promise<number> {
  const body = JSON.stringify({ id, status: 'succeeded', amount, currency: 'EUR' })
  const timestampSec = Math.floor(Date.now() / 1000)
  const signed = signWebhook({ id: `evt_${id}`, timestampSec, body, secret: UPSTREAM_SECRET })
  const headers = { ...signed, 'content-type': 'application/json' }
  return (await app.inject({ method: 'POST', url: '/upstream/http/webhook', headers, payload: body }))
    .statusCode
}

async function listOpenIncidents(deps: Deps): Promise<{ subject: string; setting: string }[]> {
  return rows(
    deps.db,
    `select subject, facts->>'setting' as setting from incidents
     where kind = 'upstream_missing' and closed_at is null order by transaction_id is not null, id`,
  )
}

const { BACKEND: _http, ...httpSettings } = http.env
const { BACKEND: _stripe, ...stripeSettings } = stripe.env

test('when BACKEND is switched between all three upstreams, the open payments of each upstream end correctly', async () => {
  const { service, shop } = await startWorld()
  const settings = { ...httpSettings, ...stripeSettings, BACKENDS_KEPT: 'sandbox,http,stripe' }
  const replicas = {
    sandbox: await service.replica({ ...settings, BACKEND: 'sandbox' }),
    http: await service.replica({ ...settings, BACKEND: 'http' }),
    stripe: await service.replica({ ...settings, BACKEND: 'stripe' }),
  }
  // Payments whose bank page is open. The sandbox and the http upstream open a bank page for the amount 4004.
  const atBank = {
    sandbox: await open(replicas.sandbox.deps, shop.id, 4004n),
    http: await open(replicas.http.deps, shop.id, 4004n),
    httpReported: await open(replicas.http.deps, shop.id, 4004n),
    stripe: await open(replicas.stripe.deps, shop.id, 1500n),
    stripeReported: await open(replicas.stripe.deps, shop.id, 1501n),
  }
  // For the amount 4005 these upstreams charge the payment, but do not confirm it.
  const responseLost = {
    sandbox: await open(replicas.sandbox.deps, shop.id, 4005n),
    http: await open(replicas.http.deps, shop.id, 4005n),
  }
  for (const id of Object.values(atBank)) assert.equal(await readState(service.deps, id), 'requires_action')
  for (const id of Object.values(responseLost)) assert.equal(await readState(service.deps, id), 'processing')

  await resolveOpenPayments(replicas.stripe.deps, 1)
  for (const id of Object.values(responseLost)) assert.equal(await readState(service.deps, id), 'succeeded')
  await http.actAtBank(atBank.http, 'approve')
  stripe.act(atBank.stripe, 'pay')
  await rows(service.deps.db, "update sandbox_charges set status = 'succeeded' where id = $1", [
    atBank.sandbox,
  ])
  await resolveOpenPayments(replicas.sandbox.deps, 1)
  for (const id of [atBank.http, atBank.stripe, atBank.sandbox])
    assert.equal(await readState(service.deps, id), 'succeeded')

  // A replica also accepts webhooks of an upstream that is named only in BACKENDS_KEPT, not in BACKEND.
  assert.equal(await sendHttpWebhook(replicas.stripe, atBank.httpReported, '4004'), 200)
  stripe.act(atBank.stripeReported, 'pay')
  const event = signEvent('checkout.session.completed', toEventObject(stripe.require(atBank.stripeReported)))
  const response = await replicas.http.app.inject({
    method: 'POST',
    url: '/upstream/stripe/webhook',
    headers: event.headers,
    payload: event.body,
  })
  assert.equal(response.statusCode, 200)
  for (const id of [atBank.httpReported, atBank.stripeReported])
    assert.equal(await readState(service.deps, id), 'succeeded')

  await reportMissingUpstreams(replicas.sandbox.deps)
  assert.deepEqual(await listOpenIncidents(service.deps), [])
})

test('no new payment is opened at an upstream that only BACKENDS_KEPT names', async () => {
  const { service, shop } = await startWorld()
  const { deps } = await service.replica({ ...httpSettings, BACKEND: 'sandbox', BACKENDS_KEPT: 'http' })
  const countBefore = (await http.books()).payments.length
  const stored = await requirePayment(deps.db, await open(deps, shop.id, 1500n))
  assert.deepEqual([stored.backend, stored.state], ['sandbox', 'succeeded'])
  assert.equal((await http.books()).payments.length, countBefore)
})

test('a webhook of one upstream does not change a payment of another upstream', async () => {
  const { service, shop } = await startWorld()
  const env = { ...httpSettings, ...stripeSettings, BACKEND: 'stripe', BACKENDS_KEPT: 'http' }
  const replica = await service.replica(env)
  const id = await open(replica.deps, shop.id, 1500n)
  assert.equal(await sendHttpWebhook(replica, id, '1500'), 404)
  assert.equal(await readState(service.deps, id), 'requires_action')
  const found = await rows(service.deps.db, "select from incidents where kind = 'unknown_payment'")
  assert.equal(found.length, 1)
})

test('payments of an upstream that is not configured stay open with an incident, and end once the upstream is configured', async () => {
  const { service, shop } = await startWorld()
  const oldReplica = await service.replica({ ...httpSettings, BACKEND: 'http' })
  const id = await open(oldReplica.deps, shop.id, 4005n)
  const switchedReplica = await service.replica({ BACKEND: 'sandbox' })
  for (let round = 0; round < 2; round += 1) {
    await resolveOpenPayments(switchedReplica.deps, 2)
    await reportMissingUpstreams(switchedReplica.deps)
    assert.equal(await readState(service.deps, id), 'processing')
    const setting = 'BACKENDS_KEPT=http, BACKEND_URL, BACKEND_SECRET'
    assert.deepEqual(await listOpenIncidents(service.deps), [
      { subject: `http ${http.url}`, setting },
      { subject: id, setting },
    ])
  }
  assert.match(service.logs.join(''), /BACKENDS_KEPT=http, BACKEND_URL, BACKEND_SECRET/)

  const restoredReplica = await service.replica({
    ...httpSettings,
    BACKEND: 'sandbox',
    BACKENDS_KEPT: 'http',
  })
  await reportMissingUpstreams(restoredReplica.deps)
  assert.deepEqual(await listOpenIncidents(service.deps), [])
  await resolveOpenPayments(restoredReplica.deps, 1)
  assert.equal(await readState(service.deps, id), 'succeeded')
  // When the upstream is removed again, the incident about it is opened again.
  await reportMissingUpstreams(switchedReplica.deps)
  assert.equal((await listOpenIncidents(service.deps)).length, 1)
})

test('a start raises incidents about a missing upstream and its payment, and a later check adds an incident about a later payment', async () => {
  const { service, shop } = await startWorld()
  const oldReplica = await service.replica({ ...httpSettings, BACKEND: 'http' })
  const first = await open(oldReplica.deps, shop.id, 4005n)
  const { deps } = await service.replica({ BACKEND: 'sandbox' })
  const background = startBackground(deps)
  await until(async () => (await listOpenIncidents(deps)).length === 2)
  await background.stop()
  const second = await open(oldReplica.deps, shop.id, 4005n)
  await reportMissingUpstreams(deps)
  const subjects = (await listOpenIncidents(deps)).map((one) => one.subject)
  assert.deepEqual(subjects, [`http ${http.url}`, first, second])
})

/** After lookups and a webhook, the payment is still open, and the other upstream has no payment. */
async function assertUntouched(other: UpstreamProcess, replica: Replica, id: string): Promise<void> {
  await resolveOpenPayments(replica.deps, 3)
  assert.equal(await sendHttpWebhook(replica, id, '4005'), 404)
  assert.equal(await readState(replica.deps, id), 'processing')
  assert.deepEqual((await other.books()).payments, [])
}

test('after BACKEND_URL is changed, a payment charged at the old URL is not looked up at the new URL', async () => {
  const other = await startUpstream()
  try {
    const { service, shop } = await startWorld()
    const oldReplica = await service.replica({ ...httpSettings, BACKEND: 'http' })
    const id = await open(oldReplica.deps, shop.id, 4005n)
    const movedReplica = await service.replica({ ...httpSettings, BACKEND: 'http', BACKEND_URL: other.url })
    await assertUntouched(other, movedReplica, id)
    await reportMissingUpstreams(movedReplica.deps)
    const incidents = await listOpenIncidents(service.deps)
    assert.deepEqual(
      incidents.map((one) => one.setting),
      ['BACKEND_URL or BACKEND_ACCOUNT', 'BACKEND_URL or BACKEND_ACCOUNT'],
    )
    await resolveOpenPayments(oldReplica.deps, 1)
    assert.equal(await readState(service.deps, id), 'succeeded')
  } finally {
    await other.stop()
  }
})

test('after BACKEND_URL is changed, a payment charged at the old URL still ends if BACKEND_ACCOUNT is the old URL', async () => {
  const { service, shop } = await startWorld()
  const oldReplica = await service.replica({ ...httpSettings, BACKEND: 'http' })
  const id = await open(oldReplica.deps, shop.id, 4005n)
  const url = http.url.replace('127.0.0.1', 'localhost')
  const env = { ...httpSettings, BACKEND: 'http', BACKEND_URL: url, BACKEND_ACCOUNT: http.url }
  const movedReplica = await service.replica(env)
  await resolveOpenPayments(movedReplica.deps, 1)
  assert.equal(await readState(service.deps, id), 'succeeded')
})

test('payments that were stored without an account belong to the first account that was configured', async () => {
  const other = await startUpstream()
  try {
    const { service, shop } = await startWorld()
    const oldReplica = await service.replica({ ...httpSettings, BACKEND: 'http' })
    const id = await open(oldReplica.deps, shop.id, 4005n)
    const { db } = service.deps
    await rows(db, 'alter table transactions disable trigger transactions_terms_guard')
    await rows(db, 'update transactions set upstream_account = null where id = $1', [id])
    const movedReplica = await service.replica({ ...httpSettings, BACKEND: 'http', BACKEND_URL: other.url })
    await assertUntouched(other, movedReplica, id)
    await resolveOpenPayments(oldReplica.deps, 1)
    assert.equal(await readState(service.deps, id), 'succeeded')
  } finally {
    await other.stop()
  }
})

test('payments of a Stripe account are looked up with a new key of that account, but not with a key of another account', async () => {
  const { service, shop } = await startWorld()
  const env = { ...stripeSettings, BACKEND: 'stripe' }
  const oldReplica = await service.replica(env)
  stripe.faults.set(2100, 'paid_error_after')
  const id = await open(oldReplica.deps, shop.id, 2100n)
  assert.equal(await readState(service.deps, id), 'processing')

  const other = await startStripeStandIn()
  try {
    const withOtherAccount = await service.replica({ ...env, STRIPE_API_BASE: other.url })
    await resolveOpenPayments(withOtherAccount.deps, 3)
    await reportMissingUpstreams(withOtherAccount.deps)
    assert.equal(await readState(service.deps, id), 'processing')
    assert.deepEqual(other.receivedRequests, [])
    assert.equal((await listOpenIncidents(service.deps))[0]!.setting, 'STRIPE_SECRET_KEY or STRIPE_ACCOUNT')
  } finally {
    await other.close()
  }

  const replaced = await service.replica({ ...env, STRIPE_SECRET_KEY: `${STRIPE_KEY}replaced` })
  await resolveOpenPayments(replaced.deps, 1)
  assert.equal(await readState(service.deps, id), 'succeeded')
})

test('if a Stripe key may not read its account, the key itself identifies the account until STRIPE_ACCOUNT names the account', async () => {
  const withoutAccount = await startStripeStandIn({ account: null })
  try {
    const { service, shop } = await startWorld()
    const { BACKEND: _name, ...settings } = withoutAccount.env
    const env = { ...settings, BACKEND: 'stripe' }
    const unnamed = await service.replica(env)
    const first = await open(unnamed.deps, shop.id, 1500n)
    assert.match((await requirePayment(service.deps.db, first)).upstreamAccount ?? '', /^key_[0-9a-f]{24}$/)
    const named = await service.replica({ ...env, STRIPE_ACCOUNT: 'acct_silent' })
    const second = await open(named.deps, shop.id, 1500n)
    assert.equal((await requirePayment(service.deps.db, second)).upstreamAccount, 'acct_silent test')
    const key = `${STRIPE_KEY}replaced`
    const replaced = await service.replica({ ...env, STRIPE_ACCOUNT: 'acct_silent', STRIPE_SECRET_KEY: key })
    for (const id of [first, second]) withoutAccount.act(id, 'pay')
    await resolveOpenPayments(replaced.deps, 1)
    for (const id of [first, second]) assert.equal(await readState(service.deps, id), 'succeeded')
    assert.doesNotMatch(service.logs.join(''), new RegExp(STRIPE_KEY))
  } finally {
    await withoutAccount.close()
  }
})

test('the start fails if STRIPE_ACCOUNT is not the account of the key', async () => {
  const { service } = await startWorld()
  const env = { ...stripeSettings, BACKEND: 'stripe', STRIPE_ACCOUNT: 'acct_another' }
  await assert.rejects(
    service.replica(env),
    /^StartError: STRIPE_ACCOUNT is wrong: STRIPE_SECRET_KEY belongs to/,
  )
})
