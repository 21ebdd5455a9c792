// A late response neither moves a person to another page, nor removes what they have typed or chosen meanwhile.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { StatementView } from '@pazar/contract'
import { until } from '../until.ts'
import { newMerchant, PASSWORD } from './merchant.ts'
import type { PortalMerchant } from './merchant.ts'
import { delayFirst, intercept } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'

const { service, browser, dataDir } = await startPortal({ DEMO: 'off' })
const openMerchant = () => newMerchant(browser, { baseUrl: service.baseUrl })

async function invite({ user, projectId }: PortalMerchant, email: string): Promise<void> {
  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.context.request.post(`/portal/api/projects/${projectId}/members/invite`, {
    data: { email, role: 'support' },
  })
}

async function findInvitation(to: string): Promise<string | null> {
  const folder = path.join(dataDir, 'mail')
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.eml'))) {
    const mail = await readFile(path.join(folder, file), 'utf8')
    if (mail.includes(`To: ${to}`)) {
      const token = /\/invitation#token=([\w-]+)/.exec(mail)?.[1]
      if (token !== undefined) return token
    }
  }
  return null
}

/** Returns a merchant who has a project and is also a member of another merchant's project. */
async function openMember() {
  const owner = await openMerchant()
  const member = await openMerchant()
  await invite(owner, member.email)
  const token = await until(() => findInvitation(member.email), 'the invitation arrives')
  await member.user.context.request.post('/portal/api/invitations/accept', { data: { token } })
  await owner.user.close()
  return { ...member, sharedId: owner.projectId }
}

test('a late response to “Add project” does not move a person who has opened another project', async () => {
  const { user, projectId } = await openMerchant()
  const { frame, projects } = user.words
  await user.open('/projects/new')
  const release = await delayFirst(user, '**/sdk/project/add')
  await user.type(projects.form.name, 'Papirnica')
  await user.page.getByLabel(projects.form.ownPages, { exact: true }).check()
  await user.press(user.button(projects.add.submit))
  const response = user.page.waitForResponse('**/sdk/project/add')
  await user.press(user.link(frame.cancel))
  await user.press(user.page.getByRole('link', { name: 'Knjižara' }).first())
  await user.page.waitForURL(`**/${projectId}?**`)
  release()
  await response
  const choice = user.page.getByLabel(frame.project, { exact: true })
  await choice.getByRole('option', { name: 'Papirnica' }).waitFor({ state: 'attached' })
  await user.page.waitForLoadState('networkidle')
  assert.match(user.page.url(), new RegExp(projectId))
  assert.deepEqual(user.faults, [])
  await user.close()
})

test('a late response to “Leave” does not move a person who has opened another project', async () => {
  const { user, projectId, sharedId } = await openMember()
  const { leave } = user.words.members
  await user.open(`/projects/${projectId}/settings`)
  await user.open(`/projects/${sharedId}/members`)
  await user.page.evaluate(() => history.pushState(null, '', location.href))
  const release = await delayFirst(user, '**/members/leave')
  await user.press(user.button(leave.submit))
  const dialog = user.page.getByRole('dialog', { name: leave.dialogTitle })
  const response = user.page.waitForResponse('**/members/leave')
  await user.press(user.button(leave.submit, dialog))
  await user.page.keyboard.press('Escape')
  assert.equal(
    await dialog.count(),
    1,
    'Escape does not close the dialog, because a closed dialog would look like a cancellation',
  )
  await user.page.evaluate((to) => {
    history.replaceState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/en/projects/${projectId}/keys?mode=test`)
  await dialog.waitFor({ state: 'detached' })
  release()
  await response
  await user.page.getByText(leave.done).waitFor()
  await user.page.waitForLoadState('networkidle')
  assert.match(user.page.url(), new RegExp(`${projectId}/keys`))
  await user.close()
})

test('saving the choice of mails about a project does not undo a choice that another tab has saved', async () => {
  const { user, email, sharedId } = await openMember()
  const { mails } = user.words.members
  const { request } = user.context
  await user.open(`/projects/${sharedId}/members`)
  await user.page.getByLabel(mails.topics.failures, { exact: true }).uncheck()
  await request.post(`/portal/api/projects/${sharedId}/members/mails`, {
    data: { mails: ['failures', 'disputes'] },
  })
  await user.press(user.button(user.words.frame.save))
  await user.page.getByText(mails.saved).waitFor()
  const response = await request.get(`/portal/api/projects/${sharedId}/members`)
  const { members } = (await response.json()) as { members: { email: string; mails: string[] }[] }
  assert.deepEqual(members.find((one) => one.email === email)?.mails, ['disputes'])
  assert.ok(await user.page.getByLabel(mails.topics.disputes, { exact: true }).isChecked())
  await user.close()
})

test('text that is typed while a form is being sent is not lost', async () => {
  const { user, projectId } = await openMerchant()
  const { members, projects, settings } = user.words
  await user.open(`/projects/${projectId}/settings`)
  const releaseUpdate = await delayFirst(user, '**/sdk/project/update')
  await user.type(projects.form.name, 'Papirnica')
  const update = user.page.waitForRequest('**/sdk/project/update')
  await user.press(user.button(settings.save))
  await update
  await user.type(projects.form.name, 'Papirnica i knjižara')
  releaseUpdate()
  await user.page.getByText(settings.saved).waitFor()
  const name = user.page.getByLabel(projects.form.name, { exact: true })
  assert.equal(await name.inputValue(), 'Papirnica i knjižara')
  await user.press(user.button(settings.undo))
  assert.equal(await name.inputValue(), 'Papirnica')

  await user.context.request.post('/portal/api/step-up', { data: { password: PASSWORD } })
  await user.open(`/projects/${projectId}/members`)
  const releaseInvite = await delayFirst(user, '**/members/invite')
  await user.type(members.invite.email, 'prva@example.com')
  const sent = user.page.waitForRequest('**/members/invite')
  await user.press(user.button(members.invite.submit))
  await sent
  await user.type(members.invite.email, 'druga@example.com')
  releaseInvite()
  await user.page.getByRole('cell', { name: 'prva@example.com', exact: true }).waitFor()
  await user.page.locator('button[aria-busy]').waitFor({ state: 'detached' })
  const email = user.page.getByLabel(members.invite.email, { exact: true })
  assert.equal(await email.inputValue(), 'druga@example.com')
  await user.close()
})

test('the dialog that withdraws an invitation stays open until the response arrives', async () => {
  const owner = await openMerchant()
  const { user, projectId } = owner
  const { cancel, cancelDialog } = user.words.members
  for (const email of ['prva@example.com', 'druga@example.com']) await invite(owner, email)
  await user.open(`/projects/${projectId}/members`)
  const release = await delayFirst(user, '**/members/remove')
  await user.press(user.page.getByRole('button', { name: `${cancel} prva@example.com` }))
  const dialog = user.page.getByRole('dialog', { name: cancelDialog.title })
  const sent = user.page.waitForRequest('**/members/remove')
  await user.press(user.button(cancelDialog.submit, dialog))
  await sent
  await user.page.keyboard.press('Escape')
  await dialog.getByText(cancelDialog.text('prva@example.com')).waitFor()
  release()
  await dialog.waitFor({ state: 'detached' })
  await user.page.getByText('prva@example.com').waitFor({ state: 'detached' })
  await user.close()
})

const EMPTY = { payments: 0, gross: '0', refunds: '0', returned: '0', disputes: '0', net: '0' }

test('the statement names the other currencies of a month, and the currency can be chosen with the keyboard', async () => {
  const { user, projectId } = await openMerchant()
  const { statement: texts } = user.words
  await user.open(`/projects/${projectId}/status?mode=live`)
  await intercept(user.page, '**/portal/api/**/statement?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const currency = query.get('currency') ?? 'USD'
    const sums = currency === 'EUR' ? { refunds: '1500', net: '-1500' } : { gross: '900', net: '900' }
    const json: StatementView = {
      month: query.get('month')!,
      timeZone: 'UTC',
      currency,
      scale: 2,
      currencies: ['EUR', 'USD'],
      days: [{ date: `${query.get('month')}-03`, ...EMPTY, ...sums }],
      totals: { ...EMPTY, ...sums },
    }
    return route.fulfill({ json })
  })
  await user.open(`/projects/${projectId}/statement?mode=live&month=2026-10`)
  await user.page.getByText(texts.otherCurrencies('EUR')).waitFor()
  const choice = user.page.getByLabel(texts.currency, { exact: true })
  assert.equal(await choice.inputValue(), 'USD')
  await choice.focus()
  await user.page.keyboard.press('E')
  await user.page.getByText(texts.otherCurrencies('USD')).waitFor()
  assert.match(await user.page.locator('tfoot').innerText(), /−€15\.00/)
  assert.equal(await choice.evaluate((field) => field === document.activeElement), true)
  assert.match((await user.link(texts.csv).getAttribute('href')) ?? '', /currency=EUR/)
  await user.press(user.page.getByRole('button', { name: texts.previous }))
  await user.page.waitForURL(
    (url) => url.searchParams.get('month') === '2026-09' && !url.searchParams.has('currency'),
  )
  assert.deepEqual(user.faults, [])
  await user.close()
})
