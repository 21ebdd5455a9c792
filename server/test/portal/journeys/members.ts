import assert from 'node:assert/strict'
import type { PortalUser } from '../portal-browser.ts'
import { COMBINATIONS, testInTurn, PASSWORD, world } from './world.ts'

const PROJECT = {
  name: 'Zajednička',
  resultUrl: 'https://shop.example.com/r',
  apiUrl: 'https://shop.example.com/c',
}

for (const [input, locale] of COMBINATIONS) {
  const test = testInTurn(input, locale)
  const emailOf = (who: string) => `${who}-${input}-${locale}@example.com`

  async function invite(owner: PortalUser, email: string): Promise<string> {
    const { members: text } = owner.words
    await owner.type(text.invite.email, email)
    await owner.press(owner.button(text.invite.submit))
    return world.mailedToken(email, 'invitation')
  }

  // Why this is long: three people take turns on the same project.
  test('two people join a project; one gets another role and leaves, the other is removed', async () => {
    // The colleague already has an account, and the newcomer creates one.
    const [owner, colleague, newcomer] = await Promise.all([
      world.newUser(input, locale),
      world.newUser(input, locale),
      world.newUser(input, locale),
    ])
    const { members: text, entry, frame, keys } = owner.words
    const signUp = (user: PortalUser, email: string) =>
      user.context.request.post('/portal/api/sign-up', { data: { email, password: PASSWORD, locale } })
    await signUp(owner, emailOf('team-owner'))
    // An invitation names its sender only if the sender has confirmed their address.
    const confirmation = { token: await world.mailedToken(emailOf('team-owner'), 'confirm-email') }
    await owner.context.request.post('/portal/api/email/confirm', { data: confirmation })
    await signUp(colleague, emailOf('team-old'))
    const added = await owner.context.request.post('/sdk/project/add', { data: PROJECT })
    const { id } = (await added.json()) as { id: string }
    await owner.open(`/projects/${id}/members`)
    await owner.type(text.invite.email, emailOf('team-old'))
    await owner.press(owner.button(text.invite.submit))
    await owner.confirmPassword(PASSWORD)
    await owner.page.getByText(text.invited, { exact: true }).first().waitFor()

    await colleague.open(`/invitation#token=${await world.mailedToken(emailOf('team-old'), 'invitation')}`)
    // Project, role and sender are shown before the invitation is accepted.
    for (const shown of [PROJECT.name, text.roles.developer, text.may.developer, emailOf('team-owner')])
      await colleague.page.getByText(shown, { exact: true }).waitFor()
    await colleague.press(colleague.button(text.invitation.accept))
    await colleague.page.waitForURL(new RegExp(`/projects/${id}`))
    // A developer sees no live secret and no statement.
    await colleague.open(`/projects/${id}/keys?mode=test`)
    await colleague.page.getByRole('heading', { name: keys.title, level: 1 }).waitFor()
    await colleague.page.locator('main code').first().waitFor()
    assert.equal(await colleague.page.locator('main code').count(), 1)
    assert.equal(await colleague.link(colleague.words.statement.title).count(), 0)
    // At the URL of the statement, a developer sees a page that names the owner. This page has no button.
    await colleague.open(`/projects/${id}/statement?mode=test`)
    const { forbidden } = colleague.words.frame
    await colleague.page
      .getByRole('heading', { name: forbidden.title(colleague.words.statement.title) })
      .waitFor()
    await colleague.page.getByText(text.may.developer).waitFor()
    await colleague.page
      .locator('main')
      .getByRole('link', { name: emailOf('team-owner') })
      .waitFor()
    assert.equal(await colleague.page.locator('main').getByRole('button').count(), 0)
    await colleague.press(colleague.link(forbidden.action))
    await colleague.page.getByRole('heading', { name: PROJECT.name, level: 1 }).waitFor()
    // A developer gets links without a QR code, and settings without the live URLs.
    await colleague.open(`/projects/${id}/link?mode=test`)
    await colleague.button(colleague.words.link.copy).waitFor()
    assert.equal(await colleague.page.locator('main img').count(), 0)
    assert.equal(await colleague.button(colleague.words.link.printQr).count(), 0)
    await colleague.open(`/projects/${id}/settings`)
    await colleague.page.locator('input[name=testApiUrl]').waitFor()
    assert.equal(await colleague.page.locator('input[name=apiUrl]').count(), 0)
    await colleague.open(`/projects/${id}/members`)
    assert.equal(await colleague.button(text.invite.submit).count(), 0)
    await colleague.press(colleague.button(frame.save))
    await colleague.page.getByText(text.mails.saved).waitFor()

    const replaced = await invite(owner, emailOf('team-new'))
    // If an invitation is sent again, the offer of ownership to the invited person ends.
    await owner.page.getByLabel(text.transfer.to, { exact: true }).selectOption(emailOf('team-new'))
    await owner.press(owner.button(text.transfer.offer))
    await owner.page.getByRole('dialog').getByText(text.transfer.offerDialog.invited).waitFor()
    await owner.press(owner.button(text.transfer.offerDialog.submit, owner.page.getByRole('dialog')))
    await owner.button(text.transfer.cancel).waitFor()
    await owner.press(owner.page.getByRole('button', { name: text.sendAgain }))
    await owner.page.getByText(text.invite.transferEnded).waitFor()
    const invitedRole = owner.page.getByLabel(text.roleOf(emailOf('team-new')), { exact: true })
    await invitedRole.selectOption('support')
    await owner.page.getByText(text.roleSaved).waitFor()
    const token = await world.mailedToken(emailOf('team-new'), 'invitation', replaced)
    // With another account the invitation can be read, but not accepted.
    await colleague.page.goto('about:blank')
    await colleague.open(`/invitation#token=${token}`)
    await colleague.page.getByText(text.invitation.other.title).waitFor()
    assert.equal(await colleague.button(text.invitation.accept).count(), 0)
    await colleague.open(`/projects/${id}/members`)
    await newcomer.open(`/invitation#token=${token}`)
    await newcomer.page.getByText(PROJECT.name, { exact: true }).waitFor()
    await newcomer.page.getByText(text.may.support, { exact: true }).waitFor()
    await newcomer.press(newcomer.button(text.invitation.create))
    const email = newcomer.page.getByLabel(entry.email, { exact: true })
    assert.equal(await email.inputValue(), emailOf('team-new'))
    await newcomer.type(entry.password, PASSWORD)
    await newcomer.press(newcomer.button(entry.signUp.submit))
    await newcomer.press(newcomer.button(text.invitation.accept))
    await newcomer.page.waitForURL(new RegExp(`/projects/${id}`))

    await owner.page.reload()
    const role = owner.page.getByLabel(text.roleOf(emailOf('team-old')), { exact: true })
    await role.selectOption('finance')
    await owner.page.getByText(text.roleSaved).waitFor()
    await colleague.page.reload()
    await colleague.link(colleague.words.statement.title).first().waitFor()
    assert.equal(await colleague.link(colleague.words.frame.link).count(), 0)
    await colleague.open(`/projects/${id}/deliveries`)
    await colleague.page.getByRole('heading', { name: colleague.words.deliveries.title, level: 1 }).waitFor()
    assert.equal(await colleague.button(colleague.words.deliveries.test).count(), 0)
    await colleague.open(`/projects/${id}/members`)
    await owner.page.reload()
    await owner.page.getByLabel(text.transfer.to, { exact: true }).selectOption(emailOf('team-old'))
    await owner.press(owner.button(text.transfer.offer))
    await owner.press(owner.button(text.transfer.offerDialog.submit, owner.page.getByRole('dialog')))
    await owner.button(text.transfer.cancel).waitFor()
    await colleague.page.reload()
    await colleague.press(colleague.button(text.transfer.accept))
    await colleague.press(colleague.button(text.transfer.accept, colleague.page.getByRole('dialog')))
    await colleague.confirmPassword(PASSWORD)
    await colleague.button(text.transfer.cancel).waitFor()
    await owner.page.reload()
    await owner.press(owner.button(text.transfer.cancel))
    await owner.button(text.transfer.offer).waitFor()
    await colleague.page.reload()
    await colleague.press(colleague.button(text.leave.submit))
    await colleague.press(colleague.button(text.leave.submit, colleague.page.getByRole('dialog')))
    await colleague.page.waitForURL(/\/projects$/)

    await owner.page.reload()
    await owner.press(owner.page.getByRole('row', { name: emailOf('team-new') }).getByRole('button'))
    await owner.press(owner.button(text.removeDialog.submit, owner.page.getByRole('dialog')))
    await owner.page.getByText(text.removeDialog.done).waitFor()
    await newcomer.open(`/projects/${id}/members`)
    await newcomer.page.getByRole('heading', { name: frame.noProject.title }).waitFor()
    for (const user of [owner, colleague]) assert.deepEqual(user.faults, [])
    for (const user of [owner, colleague, newcomer]) await user.close()
  })
}
