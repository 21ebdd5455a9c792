// Every day: callbacks, orders, files for the accountant, a new address, the exam, and what failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExamRequests } from '@pazar/contract'
import { COMBINATIONS } from './world.ts'
import type { World } from './world.ts'

export function testDailyWork(world: World): void {
  for (const [hand, locale] of COMBINATIONS) {
    const how = `by ${hand} in ${locale}`

    test(`${how}: a test callback and its answer take one press, a failed one is sent again in two`, async () => {
      const one = await world.atTheShop(hand, locale)
      const { deliveries, frame } = one.words
      const testing = await one.countPresses(async () => {
        await one.press(one.button(deliveries.test))
        await one.page.getByText(deliveries.testDone).waitFor()
      })
      assert.equal(testing, 1)
      await one.page.getByText('HTTP 200').first().waitFor()

      await world.failCallbacks(one, 1)
      await one.press(one.link(frame.test))
      await one.page.waitForURL(/mode=test/)
      const resending = await one.countPresses(async () => {
        await one.press(one.link(frame.deliveries).first())
        await one.press(one.button(deliveries.resend).first())
        await one.page.getByText(deliveries.resent).waitFor()
      })
      assert.equal(resending, 2)

      await one.open(one.page.url().replace(/.*\/(?:cnr|en)/, ''))
      const downloaded = one.page.waitForEvent('download')
      await one.press(one.link(one.words.payments.csv))
      assert.match((await downloaded).suggestedFilename(), /^deliveries-/)
      await one.press(one.page.locator('tbody tr a').first())
      const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
      await drawer.getByText(deliveries.drawer.attempts).waitFor()
      assert.doesNotMatch((await drawer.textContent()) ?? '', /sk_live_|sk_test_/)
      assert.deepEqual(one.faults, [])
      await one.close()
    })

    test(`${how}: an order is found by its reference without a mouse, and its status is one press away`, async () => {
      const one = await world.atTheShop(hand, locale)
      const { frame, payments, status } = one.words
      const paid = one.page.locator('tbody tr', { hasText: payments.states.succeeded })
      const order =
        (await paid
          .filter({ hasText: /order-\d+/ })
          .first()
          .textContent()) ?? ''
      const customId = /order-\d+/.exec(order)?.[0] ?? ''
      const finding = await one.countPresses(async () => {
        await one.page.keyboard.press('ControlOrMeta+k')
        await one.page.getByLabel(frame.command.field).waitFor()
        await one.page.keyboard.insertText(customId)
        await one.page.keyboard.press('Enter')
        await one.page.waitForURL(/transactions\?.*q=order-.*row=/)
        await one.page
          .getByRole('dialog', { name: payments.drawer.title })
          .getByText(customId)
          .first()
          .waitFor()
      })
      assert.ok(finding <= 1, String(finding)) // Enter itself counts as a press of the form's own button, if it has one.
      const drawer = one.page.getByRole('dialog', { name: payments.drawer.title })
      const checking = await one.countPresses(async () => {
        await one.press(one.link(payments.drawer.checkStatus, drawer))
        await one.page.getByText(status.paidText).waitFor()
      })
      assert.equal(checking, 1)
      assert.deepEqual(one.faults, [])
      await one.close()
    })

    test(`${how}: this month's payments are a CSV file in two presses`, async () => {
      const one = await world.atTheShop(hand, locale)
      const { frame, payments } = one.words
      await one.press(one.link(frame.transactions).first())
      await one.page.locator('tbody tr').first().waitFor()
      const exporting = await one.countPresses(async () => {
        await one.press(one.button(payments.filters.month))
        await one.page.waitForURL(/from=/)
        const saved = one.page.waitForEvent('download')
        await one.press(one.link(payments.csv))
        assert.match((await saved).suggestedFilename(), /^transactions-/)
      })
      assert.equal(exporting, 2)
      assert.deepEqual(one.faults, [])
      await one.close()
    })

    test(`${how}: a new callback URL is saved and proved in three presses; history tells of it`, async () => {
      const one = await world.atTheShop(hand, locale)
      const { frame, settings, projects, deliveries } = one.words
      await one.press(one.link(frame.settings).first())
      await one.page.getByLabel(projects.form.apiUrl, { exact: true }).waitFor()
      const changing = await one.countPresses(async () => {
        await one.type(projects.form.apiUrl, `${world.service.shopUrl}/callback?by=${hand}-${locale}`)
        await one.press(one.button(settings.save))
        await one.page.getByText(settings.saved).waitFor()
        await one.press(one.link(frame.overview).first())
        await one.press(one.button(deliveries.test))
        await one.page.getByText(deliveries.testDone).waitFor()
      })
      assert.equal(changing, 3)
      const update = world.calls.findLast((call) => call.path === '/sdk/project/update')
      assert.deepEqual(Object.keys(update?.body ?? {}).sort(), ['apiUrl', 'projectId'])
      await one.press(one.link(frame.settings).first())
      await one.page.getByText(`by=${hand}-${locale}`).first().waitFor()
      assert.deepEqual(one.faults, [])
      await one.close()
    })

    test(`${how}: the demo’s shop passes the exam in three presses, and a refused request is understood in two`, async () => {
      const one = await world.atTheShop(hand, locale, '?mode=test')
      const { exam, debug, frame } = one.words
      const examining = await one.countPresses(async () => {
        await one.press(one.link(exam.title).first())
        await one.press(one.button(exam.run))
        const asking = one.page.getByRole('dialog', { name: exam.ask.title })
        await asking.getByText(`${world.service.shopUrl}/callback`).waitFor()
        await one.press(one.button(exam.ask.submit, asking))
        await one.page.getByText(exam.passedAll).waitFor()
      })
      assert.equal(examining, 3)
      assert.equal(await one.page.locator('main li').getByText(exam.passed, { exact: true }).count(), 12)

      const projectId = /projects\/([a-z0-9]+)/.exec(one.page.url())?.[1] ?? ''
      const data = { deliver: 'caller' }
      const answer = await one.context.request.post(`/portal/api/projects/${projectId}/exam`, { data })
      const { requests } = (await answer.json()) as ExamRequests
      const { headers, body } = requests.find(({ name }) => name === 'good')!
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      const checking = await one.countPresses(async () => {
        await one.press(one.link(debug.title).first())
        await one.type(debug.paste, ['POST /callback HTTP/1.1', ...head, '', body].join('\n'))
        await one.press(one.button(debug.submit))
        await one.page.getByText(debug.matches, { exact: true }).waitFor()
      })
      assert.equal(checking, 2)
      await one.type(debug.body, body.replace('"1500"', '"1"'))
      await one.press(one.button(debug.submit))
      await one.page.locator('[data-problem=body_changed]').getByText('amount').waitFor()
      assert.equal(await one.page.getByText(debug.matches, { exact: true }).count(), 0)

      await one.press(one.link(frame.keys).first())
      await one.press(one.link(debug.open))
      await one.page.getByRole('heading', { name: debug.title }).waitFor()
      assert.deepEqual(one.faults, [])
      await one.close()
    })
  }

  test('everything that failed is sent again at once, and a delivered one once more after a question', async () => {
    const one = await world.atTheShop('mouse', 'en')
    const { frame, deliveries } = one.words
    await one.press(one.link(frame.deliveries).first())
    await one.page.getByLabel(deliveries.filters.status).selectOption('exhausted')
    await one.press(one.button(deliveries.resendFailed))
    await one.page.getByText(/^Sending \d+ callbacks? again\.$/).waitFor()

    await one.page.goto(one.page.url().replace('exhausted', 'delivered'))
    await one.press(one.page.locator('tbody tr a').first())
    const drawer = one.page.getByRole('dialog', { name: deliveries.drawer.title })
    await one.press(one.button(deliveries.resendAgain, drawer))
    const asking = one.page.getByRole('dialog', { name: deliveries.againTitle })
    await one.press(one.button(deliveries.resendAgain, asking))
    await one.page.getByText(deliveries.resent).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })
}
