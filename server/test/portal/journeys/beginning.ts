// The first hour: from signing up to a working pay link and its secrets, signing in, and what a project can be changed to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMBINATIONS, emailOf, PASSWORD, readClipboard } from './world.ts'
import type { World } from './world.ts'

export function testBeginning(world: World): void {
  for (const [hand, locale] of COMBINATIONS) {
    const how = `by ${hand} in ${locale}`
    const email = emailOf(hand, locale)

    test(`${how}: from signing up to a working pay link, and its secrets, in the promised presses`, async () => {
      const one = await world.person(hand, locale)
      const { entry, projects, frame, keys, link } = one.words
      await one.open('/sign-up')
      await one.type(entry.email, email)
      await one.type(entry.password, PASSWORD)
      await one.press(one.button(entry.signUp.submit))
      await one.page.getByText(projects.list.emptyTitle).waitFor()

      const making = await one.countPresses(async () => {
        await one.press(one.link(projects.list.add))
        await one.type(projects.form.name, 'Knjižara Šćepan')
        await one.type(projects.form.resultUrl, 'https://shop.example.com/hvala')
        await one.type(projects.form.apiUrl, 'https://shop.example.com/callback')
        await one.press(one.button(projects.add.submit))
        await one.page.getByText('/pay?amount=1500').waitFor()
      })
      assert.equal(making, 2)

      const copying = await one.countPresses(() => one.press(one.button(link.copy)))
      assert.equal(copying, 1)
      await one.page.getByText(frame.copied).first().waitFor()
      const payLink = await readClipboard(one)
      const paying = await one.context.newPage()
      await paying.goto(payLink)
      await paying.getByRole('button', { name: /15[.,]00/ }).waitFor()
      await paying.close()

      const drawing = await one.countPresses(async () => {
        await one.press(one.link(frame.link).first())
        await one.page.locator('img[alt]').waitFor()
        await one.type(link.customId, 'order-1')
        await one.page.getByText('customId=order-1').waitFor()
        const saved = one.page.waitForEvent('download')
        await one.press(one.button(link.png))
        assert.match((await saved).suggestedFilename(), /^qr-1500\.png$/)
      })
      assert.equal(drawing, 2)

      const secret = one.page.getByLabel(keys.value, { exact: true })
      const live = one.page.locator('section', { hasText: keys.liveText })
      await one.press(one.link(frame.overview).first())
      const revealing = await one.countPresses(async () => {
        await one.press(one.link(frame.keys).first())
        await one.press(one.button(keys.reveal, live))
        await one.confirmPassword(PASSWORD)
        await secret.waitFor()
      })
      assert.equal(revealing, 3)
      const old = await secret.textContent()
      assert.match(old ?? '', /^sk_live_/)
      await one.press(one.button(keys.hide, live))
      const again = await one.countPresses(async () => {
        await one.press(one.button(keys.reveal, live))
        await secret.waitFor()
      })
      assert.equal(again, 1)

      const rotating = await one.countPresses(async () => {
        await one.press(one.button(keys.rotate, live))
        await one.type(keys.dialog.nameField, 'Knjižara Šćepan')
        await one.press(one.button(keys.dialog.submit))
        await one.page.getByRole('dialog', { name: keys.fresh.title }).waitFor()
      })
      assert.ok(rotating <= 3, String(rotating)) // Four with the password, which was given a moment ago.
      const fresh = await one.page.getByRole('dialog').getByLabel(keys.value, { exact: true }).textContent()
      assert.notEqual(fresh, old)
      await one.press(one.button(keys.fresh.close))

      const testCard = one.page.locator('section', { hasText: keys.testText })
      await one.press(one.button(keys.reveal, testCard))
      await secret.waitFor()
      assert.match((await secret.textContent()) ?? '', /^sk_test_/)
      await one.press(one.button(keys.rotate, testCard))
      await one.type(keys.dialog.nameField, 'Knjižara Šćepan')
      await one.press(one.button(keys.dialog.submit))
      await one.press(one.button(keys.fresh.close))
      assert.deepEqual(one.faults, [])
      await one.close()
    })

    test(`${how}: signing in takes one press, also back to where a deep link led`, async () => {
      const one = await world.person(hand, locale)
      const { entry, projects } = one.words
      await one.page.goto(`/${locale}/projects?from=mail`)
      await one.page.waitForURL(/sign-in\?next=/)
      await one.type(entry.email, email)
      await one.type(entry.password, PASSWORD)
      assert.equal(await one.countPresses(() => one.press(one.button(entry.signIn.submit))), 1)
      await one.page.waitForURL(`**/${locale}/projects?from=mail`)
      await one.page.getByRole('heading', { name: projects.list.title }).waitFor()
      assert.deepEqual(one.faults, [])
      await one.close()
    })
  }

  test('a project can be changed in every field, left unsaved only on purpose, archived and restored', async () => {
    const one = await world.person('mouse', 'en')
    const { entry, projects, settings, frame } = one.words
    await one.open('/sign-in')
    await one.type(entry.email, 'mouse-cnr@example.com')
    await one.type(entry.password, PASSWORD)
    await one.press(one.button(entry.signIn.submit))
    await one.press(one.link('Knjižara Šćepan'))
    await one.press(one.link(frame.settings).first())
    await one.type(projects.form.name, 'Nova knjižara')
    await one.type(projects.form.testApiUrl, 'https://shop.example.com/test')

    await one.press(one.link(frame.keys).first())
    const leaving = one.page.getByRole('dialog', { name: frame.unsaved.title })
    await one.press(one.button(frame.unsaved.stay, leaving))
    assert.equal(await one.page.getByLabel(projects.form.name, { exact: true }).inputValue(), 'Nova knjižara')

    await one.type(projects.form.resultUrl, 'https://shop.example.com/drugo')
    await one.page.getByLabel(projects.form.signed).uncheck()
    await one.press(one.button(settings.save))
    await one.confirmPassword(PASSWORD)
    await one.page.getByText(settings.saved).waitFor()
    await one.page.getByText(settings.off).first().waitFor()

    await one.press(one.button(settings.archive.submit))
    await one.press(one.button(settings.archive.submit, one.page.getByRole('dialog')))
    await one.press(one.button(settings.archive.restore))
    await one.button(settings.archive.submit).waitFor()
    assert.deepEqual(one.faults, [])
    await one.close()
  })

  test('a new project can have a callback URL for tests from the start', async () => {
    const one = await world.person('mouse', 'en')
    const { entry, projects, frame } = one.words
    await one.open('/sign-in')
    await one.type(entry.email, 'mouse-cnr@example.com')
    await one.type(entry.password, PASSWORD)
    await one.press(one.button(entry.signIn.submit))
    await one.press(one.link(projects.list.add))
    await one.type(projects.form.name, 'Druga knjižara')
    await one.type(projects.form.resultUrl, 'http://localhost:8080/thanks')
    await one.type(projects.form.apiUrl, 'https://localhost/callback')
    await one.page.locator('summary', { hasText: frame.more }).click()
    await one.type(projects.form.testApiUrl, 'https://test.example.com/callback')
    await one.press(one.button(projects.add.submit))
    await one.page.getByText(one.fieldText('url_own_machine')).waitFor()
    await one.type(projects.form.apiUrl, 'https://shop.example.com/callback')
    await one.press(one.button(projects.add.submit))
    await one.page.getByRole('heading', { name: 'Druga knjižara' }).waitFor()
    await one.close()
  })
}
