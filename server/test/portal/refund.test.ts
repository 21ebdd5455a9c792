import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '@pazar/words'
import { pickCases } from '../counts.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import { intercept } from './portal-browser.ts'
import type { Input, PortalUser } from './portal-browser.ts'
import { payTestOrder } from './pay-test-order.ts'
import { startPortal } from './portal-service.ts'

const { service, browser } = await startPortal()

const pay = (user: PortalUser, projectId: string, amount: string) =>
  payTestOrder(user, projectId, { amount, customId: `order-${amount}` })

async function checkOrder(user: PortalUser, projectId: string, customId: string): Promise<string> {
  await user.open(`/projects/${projectId}/status?mode=test&q=${customId}`)
  await user.link(user.words.status.open).waitFor()
  return user.page.locator('main section').first().innerText()
}

async function listRefunds(user: PortalUser, projectId: string, transactionId: string) {
  const response = await user.context.request.post('/sdk/transaction/get', {
    data: { projectId, transactionId },
  })
  const { refunds } = (await response.json()) as { refunds: { amount: string; state: string }[] }
  return refunds.map(({ amount, state }) => `${amount} ${state}`)
}

const toDecimal = (locale: Locale, text: string) => (locale === 'en' ? text : text.replace('.', ','))

interface Variant {
  locale: Locale
  input: Input
  width: number
  theme: 'light' | 'dark'
}

const VARIANTS: readonly Variant[] = [
  { locale: 'cnr', input: 'keyboard', width: 1280, theme: 'light' },
  { locale: 'en', input: 'mouse', width: 390, theme: 'dark' },
]

for (const { locale, input, width, theme } of pickCases('browserVariants', VARIANTS, { startAt: 1 })) {
  test(`a merchant refunds half of a payment and then the rest (${locale}, ${input}, ${width})`, async () => {
    const options = { baseUrl: service.baseUrl, locale, input, width, theme }
    const { user, projectId } = await newMerchant(browser, options)
    const { drawer: texts, refund, moneyBack, timeline } = user.words.payments
    const id = await pay(user, projectId, '1500')
    const toMoneyText = (text: string) => (locale === 'en' ? `€${text}` : `${toDecimal(locale, text)}\u00a0€`)
    await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
    const drawer = user.page.getByRole('dialog', { name: texts.title })
    const dialog = user.page
      .getByRole('dialog', { name: refund.title })
      .or(user.page.getByRole('dialog', { name: refund.doneTitle }))
      .or(user.page.getByRole('dialog', { name: user.words.deliveries.events['refund.result'], exact: true }))
    await user.press(user.button(texts.refund, drawer))
    await dialog.waitFor()
    await user.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Escape closes only the dialog in front.
    await user.press(user.button(texts.refund, drawer))
    assert.equal(await dialog.getByLabel(refund.amount).inputValue(), toDecimal(locale, '15.00'))
    await dialog.getByText(refund.inTest).waitFor()
    await dialog.getByText('order-1500', { exact: true }).waitFor()
    await user.type(refund.amount, toDecimal(locale, '15.01'), dialog)
    await dialog.getByText(refund.tooMuch(toMoneyText('15.00'))).waitFor()
    await user.type(refund.amount, toDecimal(locale, '7.50'), dialog)
    await user.type(refund.reason, 'Oštećena kutija', dialog)
    await user.press(dialog.getByRole('button', { name: /7[.,]50/ }))
    await user.confirmPassword(PASSWORD)
    await dialog.getByText(`${refund.results.succeeded(toMoneyText('7.50'))} ${refund.inTest}`).waitFor()
    await user.press(dialog.getByText(refund.close, { exact: true }))
    await drawer.getByText('Oštećena kutija').waitFor()
    const entries = drawer.getByRole('listitem')
    await entries.filter({ hasText: timeline.paid(toMoneyText('15.00')) }).waitFor()
    await entries.filter({ hasText: timeline.refund.succeeded(toMoneyText('7.50')) }).waitFor()
    await drawer
      .getByRole('link', { name: timeline.callback(user.words.deliveries.events['payment.result']) })
      .first()
      .waitFor()
    await drawer.getByText(moneyBack.partlyRefunded).waitFor()

    const { verdicts } = user.words.status
    const textAfterHalf = await checkOrder(user, projectId, 'order-1500')
    for (const text of [
      verdicts.partlyRefunded.title,
      toMoneyText('15.00'),
      texts.refunded,
      toMoneyText('7.50'),
      texts.net,
    ])
      assert.ok(textAfterHalf.includes(text), `${text} in ${textAfterHalf}`)
    await user.press(user.link(user.words.status.open))
    await user.press(user.button(texts.refund, drawer))
    assert.equal(await dialog.getByLabel(refund.amount).inputValue(), toDecimal(locale, '7.50'))
    await user.press(dialog.getByRole('button', { name: /7[.,]50/ }))
    await dialog.getByText(refund.results.succeeded(toMoneyText('7.50'))).waitFor()
    await user.press(dialog.getByText(refund.close, { exact: true }))
    await drawer.getByText(moneyBack.refunded, { exact: true }).first().waitFor()
    await user.button(texts.refund, drawer).waitFor({ state: 'detached' })
    assert.deepEqual(await listRefunds(user, projectId, id), ['750 succeeded', '750 succeeded'])

    const textAfterAll = await checkOrder(user, projectId, 'order-1500')
    for (const text of [verdicts.refunded.title, verdicts.refunded.text, toMoneyText('0.00')])
      assert.ok(textAfterAll.includes(text), `${text} in ${textAfterAll}`)

    await user.open(`/projects/${projectId}/transactions?mode=test&status=refunded`)
    await user.page.locator('tbody tr').getByText(moneyBack.refunded, { exact: true }).waitFor()
    await user.open(`/projects/${projectId}/transactions?mode=test&status=disputed`)
    await user.page.getByText(user.words.payments.noneTitle).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('if the response to a refund is lost, the request can be repeated, and the refund is made only once', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { drawer: texts, refund } = user.words.payments
  const id = await pay(user, projectId, '2000')
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
  let lostResponses = 0
  await intercept(user.page, '**/sdk/transaction/refund', async (route) => {
    if (lostResponses > 0) return route.continue()
    lostResponses += 1
    await route.fetch()
    return route.abort()
  })
  const dialog = user.page
    .getByRole('dialog', { name: refund.title })
    .or(user.page.getByRole('dialog', { name: refund.doneTitle }))
    .or(user.page.getByRole('dialog', { name: user.words.deliveries.events['refund.result'], exact: true }))
  await user.press(user.button(texts.refund, user.page.getByRole('dialog', { name: texts.title })))
  await user.press(user.button(refund.submit('€20.00'), dialog))
  await dialog.getByRole('alert').getByText(refund.unknownOutcome).waitFor()
  await user.press(user.button(refund.submit('€20.00'), dialog))
  await dialog.getByText(refund.results.succeeded('€20.00')).waitFor()
  assert.deepEqual(await listRefunds(user, projectId, id), ['2000 succeeded'])
  await user.close()
})

test('if the response to a refund is lost, no second refund is made until the payment shows the first refund', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { drawer: texts, refund } = user.words.payments
  const id = await pay(user, projectId, '3000')
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open(`/projects/${projectId}/transactions?mode=test&row=${id}`)
  const drawer = user.page.getByRole('dialog', { name: texts.title })
  const dialog = user.page.getByRole('dialog', { name: refund.title })
  const askFor = async (amount: string) => {
    await user.press(user.button(texts.refund, drawer))
    await user.type(refund.amount, amount, dialog)
    await user.press(user.button(refund.submit(`€${amount}`), dialog))
  }
  let losesRefunds = true
  let losesPayment = true
  await intercept(user.page, '**/sdk/transaction/refund', async (route) => {
    if (!losesRefunds) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await intercept(user.page, '**/sdk/transaction/get', (route) =>
    losesPayment ? route.abort() : route.continue(),
  )
  await askFor('5.00')
  await dialog.getByRole('alert').waitFor()
  await user.press(user.button(user.words.frame.cancel, dialog))
  losesRefunds = false
  // The drawer does not show the refund yet.
  await askFor('7.00')
  await dialog.getByText(refund.otherRequested).waitFor()
  losesPayment = false
  await user.press(user.button(user.words.frame.cancel, dialog))
  await drawer.getByText('−€5.00').first().waitFor()
  assert.deepEqual(await listRefunds(user, projectId, id), ['500 succeeded'])
  // The payment now shows the refund, so a second request for the same amount is a new refund.
  await askFor('5.00')
  await user.page.getByRole('dialog', { name: refund.doneTitle }).waitFor()
  assert.deepEqual(await listRefunds(user, projectId, id), ['500 succeeded', '500 succeeded'])
  await user.close()
})

test('the drawer of a failed payment has no refund button', async () => {
  const { user, projectId } = await newMerchant(browser, { baseUrl: service.baseUrl })
  const { drawer: texts, states } = user.words.payments
  // The sandbox declines this amount.
  await pay(user, projectId, '4000')
  await user.open(`/projects/${projectId}/transactions?mode=test`)
  await user.page.locator('tbody tr').getByRole('link').click()
  const drawer = user.page.getByRole('dialog', { name: texts.title })
  await drawer.getByText(states.failed, { exact: true }).first().waitFor()
  assert.equal(await user.button(texts.refund, drawer).count(), 0)
  await user.close()
})
