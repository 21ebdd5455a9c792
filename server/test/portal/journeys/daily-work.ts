// Daily work: callbacks, orders, CSV files, the statement, settings, the exam and the debugger.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExamRequests } from '@pazar/contract'
import { LOGO_PNG } from '../../logo-png.ts'
import { COMBINATIONS, testInTurn, world } from './world.ts'

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)

  test('sending a test callback and reading its response takes one press, and resending a failed callback takes two', async () => {
    const user = await world.openDemo(input, locale)
    const { deliveries, frame } = user.words
    const testPresses = await user.countPresses(async () => {
      await user.press(user.button(deliveries.test))
      await user.page.getByText(deliveries.testDone).waitFor()
    })
    assert.equal(testPresses, 1)
    await user.page.getByText('HTTP 200').first().waitFor()

    await world.failCallbacks(user, 1)
    await user.press(user.link(frame.test))
    await user.page.waitForURL(/mode=test/)
    const resendPresses = await user.countPresses(async () => {
      await user.press(user.link(frame.deliveries).first())
      await user.press(user.button(deliveries.resend).first())
      await user.page.getByText(deliveries.resent).waitFor()
    })
    assert.equal(resendPresses, 2)

    await user.open(user.page.url().replace(/.*\/(?:cnr|en)/, ''))
    const downloaded = user.page.waitForEvent('download')
    await user.press(user.link(user.words.payments.csv))
    assert.match((await downloaded).suggestedFilename(), /^deliveries-/)
    await user.press(user.page.locator('tbody tr a').first())
    const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
    await drawer.getByText(deliveries.drawer.attempts).waitFor()
    assert.doesNotMatch((await drawer.textContent()) ?? '', /sk_live_|sk_test_/)
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test('an order is found by its ID with the keyboard, and checking its status takes one press', async () => {
    const user = await world.openDemo(input, locale)
    const { frame, payments, status } = user.words
    const paid = user.page.locator('tbody tr', { hasText: payments.states.succeeded })
    const rowText =
      (await paid
        .filter({ hasText: /order-\d+/ })
        .first()
        .textContent()) ?? ''
    const customId = /order-\d+/.exec(rowText)?.[0] ?? ''
    const searchPresses = await user.countPresses(async () => {
      await user.page.keyboard.press('ControlOrMeta+k')
      await user.page.getByLabel(frame.command.field).waitFor()
      await user.page.keyboard.insertText(customId)
      await user.page.keyboard.press('Enter')
      await user.page.waitForURL(/transactions\?.*q=order-.*row=/)
      await user.page
        .getByRole('dialog', { name: payments.drawer.title })
        .getByText(customId)
        .first()
        .waitFor()
    })
    // If the form has a button, the browser turns Enter into a click on the button, which counts as one press.
    assert.ok(searchPresses <= 1, String(searchPresses))
    const drawer = user.page.getByRole('dialog', { name: payments.drawer.title })
    const checkPresses = await user.countPresses(async () => {
      await user.press(user.link(payments.drawer.checkStatus, drawer))
      await user.page.getByText(status.verdicts.paid.text).waitFor()
    })
    assert.equal(checkPresses, 1)
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test("two presses download this month's payments as a CSV file", async () => {
    const user = await world.openDemo(input, locale)
    const { frame, payments } = user.words
    await user.press(user.link(frame.transactions).first())
    await user.page.locator('tbody tr').first().waitFor()
    const exportPresses = await user.countPresses(async () => {
      await user.press(user.button(payments.filters.month))
      await user.page.waitForURL(/from=/)
      const saved = user.page.waitForEvent('download')
      await user.press(user.link(payments.csv))
      assert.match((await saved).suggestedFilename(), /^transactions-[a-z0-9]+-live-\d{4}-\d{2}-\d{2}\.csv$/)
    })
    assert.equal(exportPresses, 2)
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test('one press opens the statement, which can be downloaded and can show another month', async () => {
    const user = await world.openDemo(input, locale)
    const { statement } = user.words
    const openPresses = await user.countPresses(async () => {
      await user.press(user.link(statement.title).first())
      await user.page.locator('tfoot tr').waitFor()
    })
    assert.equal(openPresses, 1)
    await user.page.getByText(statement.fees).waitFor()
    await user.page.getByText(statement.zone('Europe/Podgorica')).waitFor()
    const net = await user.page.locator('dl dd').first().textContent()
    const total = await user.page.locator('tfoot td').last().locator('span').last().textContent()
    assert.equal(net, total)
    const saved = user.page.waitForEvent('download')
    await user.press(user.link(statement.csv))
    assert.match((await saved).suggestedFilename(), /^statement-.*\.csv$/)
    // The month at index 20 is long before the demo was made, so it has no payments.
    await user.page.getByLabel(statement.month, { exact: true }).selectOption({ index: 20 })
    await user.page.waitForURL(/month=20/)
    await user.page.getByText(statement.emptyTitle).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test('a new callback URL is saved and tested in three presses, and the history shows the URL', async () => {
    const user = await world.openDemo(input, locale)
    const { frame, settings, projects, deliveries } = user.words
    await user.press(user.link(frame.settings).first())
    await user.page.getByLabel(projects.form.apiUrl, { exact: true }).waitFor()
    const changePresses = await user.countPresses(async () => {
      await user.type(projects.form.apiUrl, `${world.service.shopUrl}/callback?by=${input}-${locale}`)
      await user.press(user.button(settings.save))
      await user.page.getByText(settings.saved).waitFor()
      await user.press(user.link(frame.overview).first())
      await user.press(user.button(deliveries.test))
      await user.page.getByText(deliveries.testDone).waitFor()
    })
    assert.equal(changePresses, 3)
    const update = world.calls.findLast((call) => call.path === '/sdk/project/update')
    assert.deepEqual(Object.keys(update?.body ?? {}).sort(), ['apiUrl', 'projectId'])
    await user.press(user.link(frame.settings).first())
    await user.press(user.link(settings.tabs.history))
    await user.page.getByText(`by=${input}-${locale}`).first().waitFor()
    await user.press(user.link(settings.tabs.danger))
    // The page says why a project with live payments cannot be deleted.
    await user.page.getByText(settings.remove.used).waitFor()
    assert.equal(await user.button(settings.remove.submit).count(), 0)

    await user.press(user.link(settings.tabs.checkout))
    await user.type(settings.brand.displayName, `Kafana ${locale}`)
    await user.type(settings.brand.accent, '#d9480f')
    await user.press(user.button(settings.brand.save))
    await user.page.getByText(settings.brand.saved).waitFor()
    await user.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO_PNG })
    await user.press(user.button(settings.brand.removeLogo))
    await user.button(settings.brand.removeLogo).waitFor({ state: 'detached' })
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test('the demo passes the exam in three presses, and the debugger checks a request in two', async () => {
    const user = await world.openDemo(input, locale, '?mode=test')
    const { exam, debug, frame } = user.words
    const examPresses = await user.countPresses(async () => {
      await user.press(user.link(frame.exam).first())
      await user.press(user.button(exam.run))
      const confirmDialog = user.page.getByRole('dialog', { name: exam.ask.title })
      await confirmDialog.getByText(`${world.service.shopUrl}/callback`).waitFor()
      await user.press(user.button(exam.ask.submit, confirmDialog))
      await user.page.getByText(exam.passedAll).waitFor()
    })
    assert.equal(examPresses, 3)
    // The demo also receives callbacks about refunds, so its exam has fifteen scenarios.
    assert.equal(await user.page.locator('main li').getByText(exam.passed, { exact: true }).count(), 15)

    const projectId = /projects\/([a-z0-9]+)/.exec(user.page.url())?.[1] ?? ''
    const data = { deliver: 'caller' }
    const response = await user.context.request.post(`/portal/api/projects/${projectId}/exam`, { data })
    const { requests } = (await response.json()) as ExamRequests
    const { headers, body } = requests.find(({ name }) => name === 'good')!
    const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const checkPresses = await user.countPresses(async () => {
      await user.press(user.link(frame.debug).first())
      await user.type(debug.paste, ['POST /callback HTTP/1.1', ...headerLines, '', body].join('\n'))
      await user.press(user.button(debug.submit))
      await user.page.getByText(debug.matches, { exact: true }).waitFor()
    })
    assert.equal(checkPresses, 2)
    await user.page.locator('summary', { hasText: debug.parts }).click()
    await user.type(debug.body, body.replace('"1500"', '"1"'))
    await user.press(user.button(debug.submit))
    await user.page.locator('[data-problem=body_changed]').getByText('amount').waitFor()
    assert.equal(await user.page.getByText(debug.matches, { exact: true }).count(), 0)

    await user.press(user.link(frame.keys).first())
    await user.press(user.link(debug.open))
    await user.page.getByRole('heading', { name: frame.debug }).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('one press resends all failed callbacks, and a delivered callback is resent after a confirmation', async () => {
  const user = await world.openDemo('mouse', 'en')
  const { frame, deliveries } = user.words
  await user.press(user.link(frame.deliveries).first())
  await user.page.getByLabel(deliveries.filters.status).selectOption('exhausted')
  await user.press(user.button(deliveries.resendFailed))
  await user.page.getByText(/^Sending \d+ callbacks? again\.$/).waitFor()

  await user.page.goto(user.page.url().replace('exhausted', 'delivered'))
  await user.press(user.page.locator('tbody tr a').first())
  const drawer = user.page.getByRole('dialog', { name: deliveries.drawer.title })
  await user.press(user.button(deliveries.resendAgain, drawer))
  const confirmDialog = user.page.getByRole('dialog', { name: deliveries.againTitle })
  await user.press(user.button(deliveries.resendAgain, confirmDialog))
  await user.page.getByText(deliveries.resent).waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})
