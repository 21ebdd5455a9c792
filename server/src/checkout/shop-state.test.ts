// Sandbox amounts: 4003 gets no response and is not charged; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addBrandedProject } from '../../test/branded-project.ts'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { startTestService } from '../../test/harness.ts'
import { createTestPayer } from '../../test/pay-outcomes.ts'
import type { PayProject } from '../../test/payer.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { insertPayments } from '../../test/transactions.ts'
import type { NewCharge } from '../backends/backend.ts'
import { parseQuery } from '../http/query.ts'
import { sealAttempt } from './attempt-token.ts'
import { confirmLink } from './confirm-link.ts'
import { toCurrentCurrency } from './deps.ts'
import { findPayTarget } from './pay-target-store.ts'
import { showConfirmation } from './show-confirmation.ts'
import { showLink } from './show-link.ts'
import { showPayment } from './show-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'

const service = await startTestService()
const { deps } = service
const { db, config } = deps
const shop = await addPayProject(deps)

const queryOf = (path: string) => parseQuery(path.slice(path.indexOf('?') + 1))

const verify = ({ id }: PayProject) =>
  rows(
    db,
    'update accounts set kyc_verified_at = now() where id = (select owner_id from projects where id = $1)',
    [id],
  )

async function pay(own: typeof deps, path: string, payer = createTestPayer()) {
  const outcome = await showLink(own, payer, queryOf(path))
  assert.equal(outcome.kind, 'ready')
  if (outcome.kind !== 'ready') throw new Error('not ready')
  const { link } = outcome.checkedLink
  const attempt = { ...outcome.attempt, link, replaces: null, shown: toCurrentCurrency(own) }
  const token = sealAttempt(own.attemptTokens, attempt, own.clock.nowMs())
  return confirmLink(own, payer, { token, query: null })
}

test('in production, a live link is refused if the callbacks of the project go to the project’s inbox', async () => {
  const project = await addPayProject(deps)
  const production = { ...deps, config: { ...config, production: true } }
  const [live, inTest] = [toLink(project), toLink(project, { mode: 'test' })]
  const openLink = (own: typeof deps, path: string) => showLink(own, createTestPayer(), queryOf(path))
  assert.equal((await openLink(production, live)).kind, 'ready')
  await rows(db, 'update projects set api_url = $2 where id = $1', [
    project.id,
    `${config.baseUrl}/inbox/${project.id}`,
  ])
  await assert.rejects(openLink(production, live), { code: 'shop_not_ready' })
  assert.equal((await openLink(production, inTest)).kind, 'ready')
  assert.equal((await openLink(deps, live)).kind, 'ready')
  // The page was opened before the URL was changed.
  const link = { projectId: project.id, amount: '1500', data: '', customId: null, mode: 'live' } as const
  const attempt = { id: randomUUID(), link: { ...link, exp: null, sig: null }, replaces: null }
  const token = sealAttempt(
    deps.attemptTokens,
    { ...attempt, shown: toCurrentCurrency(deps) },
    deps.clock.nowMs(),
  )
  await assert.rejects(confirmLink(production, createTestPayer(), { token, query: null }), {
    code: 'shop_not_ready',
  })
  assert.deepEqual(await rows(db, 'select from transactions where project_id = $1', [project.id]), [])
})

test('a brand is shown on live pages only if the owner is verified, and on test pages always', async () => {
  const project = await addBrandedProject(deps)
  const modes = ['live', 'test'] as const
  const ids = await insertPayments(
    deps,
    project.id,
    modes.map((mode) => ({ mode })),
  )
  const listBrands = async () =>
    Promise.all(
      modes.map(async (mode, n) => {
        const target = await findPayTarget(db, { projectId: project.id, mode, customId: null }, [])
        const shown = await findShownPayment(db, ids[n]!)
        return [target?.brand?.displayName ?? null, shown?.merchant.brand?.displayName ?? null]
      }),
    )
  const name = 'Kafana Pod Lipom i sinovi'
  assert.deepEqual(await listBrands(), [
    [null, null],
    [name, name],
  ])
  await verify(project)
  assert.deepEqual(await listBrands(), [
    [name, name],
    [name, name],
  ])
  const plain = await findPayTarget(db, { projectId: shop.id, mode: 'test', customId: null }, [])
  assert.equal(plain?.brand, null)
})

test('the upstream gets the merchant’s name only if the merchant is verified', async () => {
  const project = await addPayProject(deps)
  const sent: (string | null | undefined)[] = []
  const create = async (charge: NewCharge) => {
    sent.push(charge.merchantName)
    return deps.backends.live.create(charge)
  }
  const watched = { ...deps, backends: { ...deps.backends, live: { ...deps.backends.live, create } } }
  assert.equal((await pay(watched, toLink(project))).kind, 'paid')
  await verify(project)
  assert.equal((await pay(watched, toLink(project))).kind, 'paid')
  assert.deepEqual(sent, [null, 'Knjižara Šćepan'])
})

test('if the upstream cannot be reached, the page of an open payment shows the stored state', async () => {
  const payer = createTestPayer()
  const outcome = await pay(deps, toLink(shop, { amount: '4003' }), payer)
  assert.equal(outcome.kind, 'processing')
  if (outcome.kind !== 'processing') return
  const find = () => Promise.reject(new Error('unreachable'))
  const unreachable = { ...deps, backends: { ...deps.backends, live: { ...deps.backends.live, find } } }
  const shown = await showPayment(unreachable, payer, { id: outcome.payment.id, isReturn: true })
  assert.ok(shown.kind === 'payment_state' && shown.payment.state === 'processing')
})

test('after Cancel, the confirmation page leads back to an order only while the order is unpaid', async () => {
  const customId = `order-${randomUUID()}`
  const link = toLink(shop, { customId, signed: true })
  const payer = createTestPayer()
  await showLink(deps, payer, queryOf(link))
  const show = (query: string) => showConfirmation(deps, payer, parseQuery(query))
  const cancelled = `status=cancel&${link.slice(link.indexOf('?') + 1)}`
  const first = (await show(cancelled)).abandoned
  assert.ok(first?.kind === 'abandoned' && first.checkedLink.link.customId === customId)
  assert.equal((await pay(deps, link)).kind, 'paid')
  assert.equal((await show(cancelled)).abandoned?.kind, 'already_paid')
  assert.deepEqual([(await show('mode=test')).mode, (await show('mode=other')).mode], ['test', 'live'])
})

test('limits: the confirmation page, the receipt form and the sandbox’s bank are rate limited', async () => {
  const { app } = await service.replica({
    RATE_LIMITS: 'on',
    RATE_LIMIT_PAY_GET: '2',
    RATE_LIMIT_PAY_POST: '2',
  })
  const id = toTransactionId((await new Payer(service.app).pay(toLink(shop, { amount: '4004' }))).location)
  const requests: [method: 'GET' | 'POST', url: string, form?: string][] = [
    ['GET', '/pay/successful'],
    ['GET', `/sandbox/bank/${id}`],
    ['POST', `/sandbox/bank/${id}`, 'outcome=unknown'],
    ['POST', `/pay/${id}/receipt`, 'email=payer%40example.me'],
  ]
  for (const [method, url, form] of requests) {
    const send = async () => (await new Payer(app).send(method, url, form)).status
    const statuses = [await send(), await send(), await send()]
    assert.deepEqual(
      statuses.map((status) => status === 429),
      [false, false, true],
      `${method} ${url}: ${statuses.join()}`,
    )
  }
})

test('another site cannot make a payer’s browser request a receipt', async () => {
  const { app } = await service.replica({ BASE_URL: OWN_ORIGIN })
  const payer = new Payer(app)
  const id = toTransactionId((await payer.pay(toLink(shop))).location)
  const { headers } = payer
  for (const { what, headers: sent } of CROSS_SITE_MATRIX.filter(({ passes }) => !passes)) {
    payer.headers = { ...headers, ...sent }
    assert.equal((await payer.send('POST', `/pay/${id}/receipt`, 'email=x%40example.me')).status, 403, what)
  }
  assert.deepEqual(await rows(db, "select from mails where kind = 'receipt'"), [])
})
