// The first hour: signing up, copying a pay link, revealing the secrets, signing in, and changing a project.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { PortalUser } from '../portal-browser.ts'
import { until } from '../../until.ts'
import { COMBINATIONS, emailOf, PASSWORD, readClipboard, world } from './world.ts'

function isFocused(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement)
}

async function openPayPage(user: PortalUser, payLink: string): Promise<void> {
  const payPage = await user.context.newPage()
  await payPage.goto(payLink)
  await payPage.getByRole('button', { name: /15[.,]00/ }).waitFor()
  await payPage.close()
}

async function receiveInInbox(user: PortalUser): Promise<void> {
  const { inbox, deliveries } = user.words
  const receivePresses = await user.countPresses(async () => {
    await user.press(user.link(inbox.title).first())
    await user.press(user.button(deliveries.test))
    await user.page.locator('ol').getByText(inbox.verified).waitFor()
  })
  assert.equal(receivePresses, 2)
  await user.page.locator('ol pre', { hasText: '"event":"payment.result"' }).waitFor()
  await user.press(user.link(user.words.frame.overview).first())
}

async function prepareAndPromote(user: PortalUser, secret: Locator): Promise<void> {
  const { keys } = user.words
  const nextCard = user.page.locator('section', { hasText: keys.next.title })
  await user.press(user.button(keys.next.prepare, nextCard))
  await secret.waitFor()
  await user.press(user.button(keys.fresh.close, nextCard))
  await user.press(user.button(keys.next.discard, nextCard))
  await user.button(keys.next.discard, nextCard).waitFor({ state: 'detached' })
  assert.ok(await isFocused(user.button(keys.next.prepare, nextCard)))
  await user.press(user.button(keys.next.prepare, nextCard))
  await secret.waitFor()
  const prepared = await secret.textContent()
  await user.press(user.button(keys.fresh.close, nextCard))
  await nextCard.getByText(keys.next.steps.replace).waitFor()
  await user.press(user.button(keys.next.promote, nextCard))
  await user.type(keys.dialog.typeName('Knjižara Šćepan'), 'Knjižara Šćepan')
  await user.press(user.button(keys.dialog.submitNext))
  const dialog = user.page.getByRole('dialog', { name: keys.fresh.title })
  assert.equal(await dialog.getByLabel(keys.value, { exact: true }).textContent(), prepared)
  await dialog.getByText(keys.fresh.textNext).waitFor()
  await user.press(user.button(keys.fresh.close))
  // The card now reloads and shrinks, and then it moves the focus. Before that, a press on another button could miss,
  // because the buttons below the card still move.
  const prepareButton = user.button(keys.next.prepare, nextCard)
  await prepareButton.waitFor()
  await until(() => isFocused(prepareButton), 'the button that prepares a secret has the focus')
}

for (const [input, locale] of COMBINATIONS) {
  const prefix = `by ${input} in ${locale}`
  const email = emailOf(input, locale)

  test(`${prefix}: from sign-up to a working pay link and the secrets, no step takes more presses than expected`, async () => {
    const user = await world.newUser(input, locale)
    const { entry, projects, frame, keys, link } = user.words
    await user.open('/sign-up')
    await user.type(entry.email, email)
    await user.type(entry.password, PASSWORD)
    await user.press(user.button(entry.signUp.submit))
    await user.page.getByText(projects.list.emptyTitle).waitFor()

    const addPresses = await user.countPresses(async () => {
      await user.type(projects.form.name, 'Knjižara Šćepan')
      await user.page.getByLabel(projects.form.ownPages).and(user.page.locator(':checked')).waitFor()
      await user.press(user.button(projects.add.submit))
      await user.page.getByText('/pay?amount=1500').waitFor()
    })
    assert.equal(addPresses, 1)

    await receiveInInbox(user)

    const copyPresses = await user.countPresses(() => user.press(user.button(link.copy)))
    assert.equal(copyPresses, 1)
    await user.page.getByText(frame.copied).first().waitFor()
    const payLink = await readClipboard(user)
    await openPayPage(user, payLink)

    const qrPresses = await user.countPresses(async () => {
      await user.press(user.link(frame.link).first())
      await user.page.locator('main img[alt]').waitFor()
      await user.type(link.customId, 'order-1')
      await user.page.getByText('customId=order-1').waitFor()
      const saved = user.page.waitForEvent('download')
      await user.press(user.button(link.png))
      assert.match((await saved).suggestedFilename(), /^qr-1500\.png$/)
    })
    assert.equal(qrPresses, 2)

    const secret = user.page.getByLabel(keys.value, { exact: true })
    const liveCard = user.page.locator('section', { hasText: keys.liveText })
    await user.press(user.link(frame.overview).first())
    const revealPresses = await user.countPresses(async () => {
      await user.press(user.link(frame.keys).first())
      await user.press(user.button(keys.reveal, liveCard))
      await user.confirmPassword(PASSWORD)
      await secret.waitFor()
    })
    assert.equal(revealPresses, 3)
    const oldSecret = await secret.textContent()
    assert.match(oldSecret ?? '', /^sk_live_/)
    await user.press(user.button(keys.hide, liveCard))
    assert.ok(await isFocused(user.button(keys.reveal, liveCard)))
    const revealAgainPresses = await user.countPresses(() => user.press(user.button(keys.reveal, liveCard)))
    assert.equal(revealAgainPresses, 1)
    await secret.waitFor()
    assert.ok(await isFocused(user.button(keys.hide, liveCard)))

    const rotatePresses = await user.countPresses(async () => {
      await user.press(user.button(keys.rotate, liveCard))
      await user.type(keys.dialog.typeName('Knjižara Šćepan'), 'Knjižara Šćepan')
      await user.press(user.button(keys.dialog.submit))
      await user.page.getByRole('dialog', { name: keys.fresh.title }).waitFor()
    })
    assert.ok(rotatePresses <= 3, String(rotatePresses)) // The password was confirmed a moment ago, so no dialog asks for it.
    const dialog = user.page.getByRole('dialog')
    const newSecret = await dialog.getByLabel(keys.value, { exact: true }).textContent()
    assert.notEqual(newSecret, oldSecret)
    await user.press(user.button(keys.fresh.close))

    await prepareAndPromote(user, secret)

    const testCard = user.page.locator('section', { hasText: keys.testText })
    await user.press(user.button(keys.reveal, testCard))
    await secret.waitFor()
    assert.match((await secret.textContent()) ?? '', /^sk_test_/)
    await user.press(user.button(keys.rotate, testCard))
    await user.type(keys.dialog.typeName('Knjižara Šćepan'), 'Knjižara Šćepan')
    await user.press(user.button(keys.dialog.submit))
    await user.press(user.button(keys.fresh.close))
    assert.deepEqual(user.faults, [])
    await user.close()
  })

  test(`${prefix}: signing in takes one press and opens the requested page`, async () => {
    const user = await world.newUser(input, locale)
    const { entry, projects } = user.words
    await user.page.goto(`/${locale}/projects?from=mail`)
    await user.page.waitForURL(/sign-in\?next=/)
    await user.type(entry.email, email)
    await user.type(entry.password, PASSWORD)
    assert.equal(await user.countPresses(() => user.press(user.button(entry.signIn.submit))), 1)
    await user.page.waitForURL(`**/${locale}/projects?from=mail`)
    await user.page.getByRole('heading', { name: projects.list.title }).waitFor()
    assert.deepEqual(user.faults, [])
    await user.close()
  })
}

test('a project can be changed, archived and restored, and a dialog asks before unsaved changes are lost', async () => {
  const user = await world.newUser('mouse', 'en')
  const { entry, projects, settings, frame } = user.words
  await user.open('/sign-in')
  await user.type(entry.email, 'mouse-cnr@example.com')
  await user.type(entry.password, PASSWORD)
  await user.press(user.button(entry.signIn.submit))
  await user.press(user.link('Knjižara Šćepan'))
  await user.press(user.link(frame.settings).first())
  await user.type(projects.form.name, 'Nova knjižara')
  await user.type(projects.form.testApiUrl, 'https://shop.example.com/test')

  await user.press(user.link(frame.keys).first())
  const leaveDialog = user.page.getByRole('dialog', { name: frame.unsaved.title })
  await user.press(user.button(frame.unsaved.stay, leaveDialog))
  assert.equal(await user.page.getByLabel(projects.form.name, { exact: true }).inputValue(), 'Nova knjižara')

  // While changes are unsaved, the user can open another tab of the settings, and the typed text stays.
  await user.press(user.link(settings.tabs.history))
  await user.page.getByRole('heading', { name: settings.history.title }).waitFor()
  await user.press(user.link(settings.tabs.general))
  await user.type(projects.form.resultUrl, 'https://shop.example.com/drugo')
  await user.page.getByLabel(projects.form.signed).uncheck()
  const { names } = settings.events
  assert.ok(await user.page.getByLabel(names['payment.result']).isDisabled())
  assert.ok(await user.page.getByLabel(names['payment.result']).isChecked())
  await user.page.getByLabel(names['refund.result']).check()
  await user.page.getByLabel(projects.form.timeZone).selectOption('Europe/London')
  await user.press(user.button(settings.save))
  await user.confirmPassword(PASSWORD)
  await user.page.getByText(settings.saved).waitFor()
  await user.press(user.link(settings.tabs.history))
  await user.page.getByText(settings.off, { exact: true }).first().waitFor()
  const change = user.page.locator('dl > div').filter({ hasText: names['refund.result'] })
  await change.getByText(settings.on, { exact: true }).waitFor()
  await user.page.reload()
  await change.getByText(settings.on, { exact: true }).waitFor()
  await user.press(user.link(settings.tabs.general))
  assert.ok(await user.page.getByLabel(names['refund.result']).isChecked())
  assert.ok(!(await user.page.getByLabel(names['dispute.opened']).isChecked()))

  await user.press(user.link(settings.tabs.danger))
  await user.press(user.button(settings.archive.submit))
  await user.press(user.button(settings.archive.submit, user.page.getByRole('dialog')))
  await user.button(settings.archive.restore).waitFor()
  // The page says that the project is archived, and links to the settings.
  await user.press(user.link(frame.link).first())
  const archived = user.page.locator('main').getByText(projects.overview.archivedTitle, { exact: true })
  await user.page.getByRole('heading', { name: user.words.link.title }).waitFor()
  await archived.waitFor()
  await user.press(user.link(frame.settings, user.page.locator('main')))
  await user.press(user.button(settings.archive.restore))
  await archived.waitFor({ state: 'detached' })
  await user.button(settings.archive.submit).waitFor()
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('a new project can have a test callback URL and more callback events from the start', async () => {
  const user = await world.newUser('mouse', 'en')
  const { entry, projects, settings, frame } = user.words
  await user.open('/sign-in')
  await user.type(entry.email, 'mouse-cnr@example.com')
  await user.type(entry.password, PASSWORD)
  await user.press(user.button(entry.signIn.submit))
  await user.press(user.link(projects.list.add))
  await user.type(projects.form.name, 'Druga knjižara')
  // The box is checked by default only while the account has no project with a server.
  await user.page.getByLabel(projects.form.ownPages).check()
  await user.page.getByLabel(projects.form.ownPages).uncheck()
  await user.type(projects.form.resultUrl, 'http://localhost:8080/thanks')
  await user.type(projects.form.apiUrl, 'https://localhost/callback')
  await user.page.locator('summary', { hasText: projects.form.more }).click()
  await user.type(projects.form.testApiUrl, 'https://test.example.com/callback')
  await user.page.getByLabel(settings.events.names['dispute.opened']).check()
  await user.page.getByLabel(projects.form.timeZone).selectOption('Europe/Zagreb')
  await user.press(user.button(projects.add.submit))
  await user.page.getByText(user.fieldText('url_own_machine')).waitFor()
  await user.type(projects.form.apiUrl, 'https://shop.example.com/callback')
  await user.press(user.button(projects.add.submit))
  await user.page.getByRole('heading', { name: 'Druga knjižara' }).waitFor()
  await user.press(user.link(frame.settings).first())
  await user.page.getByLabel(settings.events.names['dispute.opened']).waitFor()
  assert.ok(await user.page.getByLabel(settings.events.names['dispute.opened']).isChecked())
  assert.equal(await user.page.getByLabel(projects.form.timeZone).inputValue(), 'Europe/Zagreb')
  await user.close()
})
