// The members of a project: they are invited, join with a new or an existing account, change their role, leave, and are
// removed.
import assert from 'node:assert/strict'
import type { PortalUser } from '../portal-browser.ts'
import { COMBINATIONS, inTurn, PASSWORD, world } from './world.ts'

const PROJECT = {
  name: 'Zajednička',
  resultUrl: 'https://shop.example.com/r',
  apiUrl: 'https://shop.example.com/c',
}

for (const [input, locale] of COMBINATIONS) {
  const test = inTurn(input, locale)
  const emailOf = (who: string) => `${who}-${input}-${locale}@example.com`

  async function invite(owner: PortalUser, email: string): Promise<string> {
    const { members: text } = owner.words
    await owner.type(text.invite.email, email)
    await owner.press(owner.button(text.invite.submit))
    return world.mailedToken(email, 'invitation')
  }

  // Long: three people take turns on the same project.
  test('two people join a project; one gets another role and leaves, the other is removed', async () => {
    const [owner, old, fresh] = await Promise.all([
      world.newUser(input, locale),
      world.newUser(input, locale),
      world.newUser(input, locale),
    ])
    const { members: text, entry, frame, keys } = owner.words
    const signUp = (user: PortalUser, email: string) =>
      user.context.request.post('/portal/api/sign-up', { data: { email, password: PASSWORD, locale } })
    await signUp(owner, emailOf('team-owner'))
    await signUp(old, emailOf('team-old'))
    const added = await owner.context.request.post('/sdk/project/add', { data: PROJECT })
    const { id } = (await added.json()) as { id: string }
    await owner.open(`/projects/${id}/members`)
    await owner.type(text.invite.email, emailOf('team-old'))
    await owner.press(owner.button(text.invite.submit))
    await owner.confirmPassword(PASSWORD)
    await owner.page.getByText(text.invited, { exact: true }).waitFor()

    await old.open(`/invitation#token=${await world.mailedToken(emailOf('team-old'), 'invitation')}`)
    // Project, role and sender are shown before anything is accepted.
    for (const shown of [PROJECT.name, text.roles.developer, text.may.developer, emailOf('team-owner')])
      await old.page.getByText(shown, { exact: true }).waitFor()
    await old.press(old.button(text.invitation.accept))
    await old.page.waitForURL(new RegExp(`/projects/${id}`))
    // A developer has no page for money, and no live secret.
    await old.open(`/projects/${id}/keys?mode=test`)
    await old.page.getByRole('heading', { name: keys.title, level: 1 }).waitFor()
    await old.page.locator('main code').first().waitFor()
    assert.equal(await old.page.locator('main code').count(), 1)
    assert.equal(await old.link(old.words.statement.title).count(), 0)
    // The address of such a page leads to one that says so, without a control that cannot work.
    await old.open(`/projects/${id}/statement?mode=test`)
    const { forbidden } = old.words.frame
    await old.page.getByRole('heading', { name: forbidden.title(old.words.statement.title) }).waitFor()
    await old.page.getByText(text.may.developer).waitFor()
    await old.page
      .locator('main')
      .getByRole('link', { name: emailOf('team-owner') })
      .waitFor()
    assert.equal(await old.page.locator('main').getByRole('button').count(), 0)
    await old.press(old.link(forbidden.action))
    await old.page.getByRole('heading', { name: PROJECT.name, level: 1 }).waitFor()
    // A developer gets links without a QR code, and settings without the live URLs.
    await old.open(`/projects/${id}/link?mode=test`)
    await old.button(old.words.link.copy).waitFor()
    assert.equal(await old.page.locator('main img').count(), 0)
    assert.equal(await old.button(old.words.link.printQr).count(), 0)
    await old.open(`/projects/${id}/settings`)
    await old.page.locator('input[name=testApiUrl]').waitFor()
    assert.equal(await old.page.locator('input[name=apiUrl]').count(), 0)
    await old.open(`/projects/${id}/members`)
    assert.equal(await old.button(text.invite.submit).count(), 0)
    await old.press(old.button(frame.save))
    await old.page.getByText(text.mails.saved).waitFor()

    const token = await invite(owner, emailOf('team-new'))
    // With another account the invitation can be read, but not accepted.
    await old.page.goto('about:blank')
    await old.open(`/invitation#token=${token}`)
    await old.page.getByText(text.invitation.other.title).waitFor()
    assert.equal(await old.button(text.invitation.accept).count(), 0)
    await old.open(`/projects/${id}/members`)
    await fresh.open(`/invitation#token=${token}`)
    await fresh.page.getByText(PROJECT.name, { exact: true }).waitFor()
    await fresh.press(fresh.button(text.invitation.create))
    const email = fresh.page.getByLabel(entry.email, { exact: true })
    assert.equal(await email.inputValue(), emailOf('team-new'))
    await fresh.type(entry.password, PASSWORD)
    await fresh.press(fresh.button(entry.signUp.submit))
    await fresh.press(fresh.button(text.invitation.accept))
    await fresh.page.waitForURL(new RegExp(`/projects/${id}`))

    await owner.page.reload()
    const role = owner.page.getByLabel(text.roleOf(emailOf('team-old')), { exact: true })
    await role.selectOption('finance')
    await owner.page.getByText(text.roleSaved).waitFor()
    await old.page.reload()
    await old.link(old.words.statement.title).first().waitFor()
    assert.equal(await old.link(old.words.frame.link).count(), 0)
    await old.open(`/projects/${id}/deliveries`)
    await old.page.getByRole('heading', { name: old.words.deliveries.title, level: 1 }).waitFor()
    assert.equal(await old.button(old.words.deliveries.test).count(), 0)
    await old.open(`/projects/${id}/members`)
    await owner.page.reload()
    await owner.press(owner.button(text.transfer.offer))
    await owner.press(owner.button(text.transfer.offerDialog.submit, owner.page.getByRole('dialog')))
    await owner.button(text.transfer.cancel).waitFor()
    await old.page.reload()
    await old.press(old.button(text.transfer.accept))
    await old.press(old.button(text.transfer.accept, old.page.getByRole('dialog')))
    await old.confirmPassword(PASSWORD)
    await old.button(text.transfer.cancel).waitFor()
    await owner.page.reload()
    await owner.press(owner.button(text.transfer.cancel))
    await owner.button(text.transfer.offer).waitFor()
    await old.page.reload()
    await old.press(old.button(text.leave.submit))
    await old.press(old.button(text.leave.submit, old.page.getByRole('dialog')))
    await old.page.waitForURL(/\/projects$/)

    await owner.page.reload()
    await owner.press(owner.page.getByRole('row', { name: emailOf('team-new') }).getByRole('button'))
    await owner.press(owner.button(text.removeDialog.submit, owner.page.getByRole('dialog')))
    await owner.page.getByText(text.removeDialog.done).waitFor()
    await fresh.open(`/projects/${id}/members`)
    await fresh.page.getByRole('heading', { name: frame.noProject.title }).waitFor()
    for (const user of [owner, old]) assert.deepEqual(user.faults, [])
    for (const user of [owner, old, fresh]) await user.close()
  })
}
