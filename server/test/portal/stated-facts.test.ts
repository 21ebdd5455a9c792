// The portal's notices say only what the service knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DisputeView, TransactionDetails } from '@pazar/contract'
import { LOGO_PNG } from '../logo-png.ts'
import { newMerchant } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import type { PortalUser } from './portal-browser.ts'
import { payTestOrder } from './pay-test-order.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal({ DEMO: 'off', REQUIRE_KYC: 'true' })
const newOwner = (apiUrl = 'https://shop.example.com/c') =>
  newMerchant(browser, { baseUrl: service.baseUrl }, { apiUrl })

/** Changes the responses of a path, as if the service had other data. */
async function change<T>(user: PortalUser, path: string, toChanged: (body: T) => object): Promise<void> {
  await user.page.unroute(`**${path}`)
  await user.page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: toChanged((await response.json()) as T) })
  })
}

const count = (user: PortalUser, text: string) => user.page.getByText(text).count()

test('the notice about the identity check is shown only while the owner is not verified', async () => {
  const { user, projectId } = await newOwner()
  const { overview } = user.words.projects
  const { brand } = user.words.settings
  const pages = [
    [`/projects/${projectId}?mode=live`, overview.lastTransactions, overview.kycText],
    [`/projects/${projectId}/settings?mode=live&tab=checkout`, brand.title, brand.unverified],
  ] as const
  for (const [path, _ready, notice] of pages) {
    await user.open(path)
    await user.page.getByText(notice).waitFor()
  }
  for (const path of ['/sdk/project/get', '/sdk/project/list'])
    await change<{ projects?: object[] }>(user, path, ({ projects, ...rest }) => ({
      ...rest,
      ownerVerified: true,
      ...(projects && { projects: projects.map((one) => ({ ...one, ownerVerified: true })) }),
    }))
  for (const [path, ready, notice] of pages) {
    await user.open(path)
    await user.page.getByText(ready).first().waitFor()
    assert.equal(await count(user, notice), 0, path)
  }
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('during a review, an order is not called "paid", and the drawer says when a callback will be sent', async () => {
  const { user, projectId } = await newOwner()
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'order-7' })
  const { status, payments } = user.words
  const setDetails = (changed: Partial<TransactionDetails['transaction']>) =>
    change<TransactionDetails>(user, '/sdk/transaction/get', ({ transaction, ...rest }) => ({
      ...rest,
      transaction: { ...transaction, ...changed },
    }))
  await setDetails({ needsReview: true })
  await user.open(`/projects/${projectId}/status?mode=test&q=order-7`)
  await user.page.getByText(status.verdicts.paidInReview.text).waitFor()
  assert.equal(await count(user, status.verdicts.paid.text), 0)

  const callback = {
    id: `msg_${'0'.repeat(32)}`,
    attempts: 1,
    lastStatusCode: 500,
    deliveredAt: null,
    forwarded: false,
  }
  const inReview = { state: 'failed', successful: false, needsReview: true } as const
  const { none, notAccepted, sent, superseded } = payments.drawer.reviewCallback
  const cases = [
    [null, none],
    [{ ...callback, status: 'pending', attempts: 0, lastStatusCode: null }, notAccepted],
    [{ ...callback, status: 'exhausted' }, notAccepted],
    [{ ...callback, status: 'cancelled' }, superseded],
    [{ ...callback, status: 'delivered', lastStatusCode: 200 }, sent],
    [{ ...callback, status: 'pending', deliveredAt: '2026-11-10T10:00:00.000Z' }, sent],
  ] as const
  for (const [last, text] of cases) {
    await setDetails({ ...inReview, callback: last })
    await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
    await user.page.getByRole('dialog').getByText(text).waitFor()
  }
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('before a callback is sent to the inbox again, the dialog names the inbox', async () => {
  const { user, projectId } = await newOwner(`${service.baseUrl}/inbox`)
  const { deliveries } = user.words
  const data = { status: 'success', amount: '1500', customId: 'order-7' }
  const response = await user.context.request.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    data,
  })
  const { callback } = (await response.json()) as { callback: { id: string } }
  await user.open(`/projects/${projectId}/deliveries?mode=test&row=${callback.id}`)
  await user.press(user.button(deliveries.resendAgain))
  const dialog = user.page.getByRole('dialog', { name: deliveries.againTitle })
  await dialog.getByText(deliveries.againTextInbox).waitFor()
  assert.equal(await dialog.getByText(deliveries.againText).count(), 0)
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('an inquiry of a bank is not called a dispute', async () => {
  const { user, projectId } = await newOwner()
  const id = await payTestOrder(user, projectId, { amount: '1500', customId: 'order-7' })
  const { dispute: texts, timeline } = user.words.payments
  const at = '2026-11-10T10:00:00.000Z'
  const toDispute = (state: DisputeView['state']): DisputeView => ({
    id: `dp_${'0'.repeat(31)}${state.length}`,
    transactionId: id,
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    state,
    reason: null,
    respondBy: null,
    openedAt: at,
    closedAt: state === 'won' || state === 'lost' ? at : null,
  })
  const [inquiry, open] = [toDispute('inquiry'), toDispute('open')]
  const overviews = [
    [{ count: 1, disputes: [inquiry] }, texts.tests.inquiries(1), 0],
    [{ count: 1, disputes: [open] }, texts.tests.disputes(1), 1],
    [{ count: 2, disputes: [inquiry, open] }, texts.tests.both(2), 1],
    // Only one of the nine entries is listed, so the other eight may be disputes.
    [{ count: 9, disputes: [inquiry] }, texts.tests.both(9), 1],
  ] as const
  for (const [body, title, links] of overviews) {
    await change(user, '/open-disputes?mode=test', () => body)
    await user.open(`/projects/${projectId}?mode=test`)
    await user.page.getByText(title, { exact: true }).waitFor()
    // The list of disputed payments does not contain inquiries.
    assert.equal(await user.link(texts.showAll).count(), links, title)
  }

  const { either } = timeline.disputeClosed
  const entries = [
    ['inquiry', [timeline.disputeOpened.inquiry('€15.00')]],
    ['open', [timeline.disputeOpened.dispute('€15.00')]],
    ['won', [timeline.disputeOpened.either('€15.00'), either(texts.states.won)]],
    ['lost', [timeline.disputeOpened.dispute('€15.00'), timeline.disputeClosed.dispute(texts.states.lost)]],
  ] as const
  for (const [state, titles] of entries) {
    await change<TransactionDetails>(user, '/sdk/transaction/get', (details) => ({
      ...details,
      disputes: [toDispute(state)],
    }))
    await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
    const drawer = user.page.getByRole('dialog')
    for (const title of titles) await drawer.getByText(title, { exact: true }).waitFor()
  }
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('a response that was requested before a change does not undo the change on the page', async () => {
  const { user, projectId } = await newOwner()
  const { brand } = user.words.settings
  await user.page.clock.install()
  await user.open(`/projects/${projectId}/settings?tab=checkout`)
  await user.button(brand.chooseLogo).waitFor()
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await user.page.route('**/sdk/project/get', async (route) => {
    const response = await route.fetch()
    held.resolve()
    await released.promise
    await route.fulfill({ response }).catch(() => undefined) // The page may have cancelled the request.
  })
  // When the user returns to the tab, the page loads the project again, unless the data is only a few seconds old.
  await user.page.clock.fastForward(60_000)
  await user.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await held.promise
  await user.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO_PNG })
  await user.button(brand.removeLogo).waitFor()
  released.resolve()
  await user.page.waitForLoadState('networkidle')
  assert.equal(await user.button(brand.removeLogo).count(), 1)
  await user.close()
})

test('if the first steps, the tokens or the user’s role cannot be loaded, the pages say nothing about them', async () => {
  const { user, projectId } = await newOwner()
  const { frame, members, metrics, projects, security } = user.words
  await payTestOrder(user, projectId, { amount: '1500', customId: 'order-1' })
  const failures = user.page.getByRole('alert').getByText(frame.offline.title)
  await intercept(user.page, /first-steps|api\/tokens|project\/get/, (route) => route.abort())

  await user.open('/account/security')
  await failures.waitFor()
  assert.equal(await user.page.getByText(security.tokens.count(0), { exact: true }).count(), 0)
  await user.open(`/projects/${projectId}/members`)
  await failures.waitFor()
  assert.equal(await user.page.getByText(members.invite.title).count(), 0)

  await user.page.unrouteAll({ behavior: 'wait' })
  await intercept(user.page, /first-steps/, (route) => route.abort())
  await user.open(`/projects/${projectId}?mode=test`)
  await user.page.getByText(metrics.title, { exact: true }).waitFor()
  await user.page.getByText(projects.overview.firstSteps).waitFor({ state: 'detached' })
  await user.close()
})

test('people are offered only what their role allows', async () => {
  const inbox = new URL('/inbox', service.baseUrl).href
  const { user, projectId } = await newOwner(inbox)
  const { payments, exam, projects } = user.words
  const pages = [
    ['support', '/exam?mode=test', exam.noServerTitle, exam.toSettings],
    ['developer', '?mode=live', projects.overview.ownPagesTitle, projects.overview.toUrls],
    ['finance', '/transactions?mode=live', payments.emptyTitle, payments.emptyAction],
  ] as const
  for (const shownAs of ['owner', 'member'] as const)
    for (const [role, path, ready, button] of pages) {
      if (shownAs === 'member')
        for (const route of ['/sdk/project/get', '/sdk/project/list'])
          await change<{ projects?: object[] }>(user, route, ({ projects: all, ...rest }) => ({
            ...rest,
            role,
            ...(all && { projects: all.map((one) => ({ ...one, role })) }),
          }))
      await user.open(`/projects/${projectId}${path}`)
      await user.page.getByText(ready).first().waitFor()
      const isOffered = (await user.page.getByRole('link', { name: button }).count()) > 0
      assert.equal(isOffered, shownAs === 'owner', `${path} for ${shownAs === 'owner' ? 'the owner' : role}`)
    }
  assert.deepEqual(user.faults, [])
  await user.close()
})
