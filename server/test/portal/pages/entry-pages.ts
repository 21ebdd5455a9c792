// The pages that need no session, and those for URLs that do not exist.
import { LONG_NAME } from '../hard-data.ts'
import { openThen, respondWith } from './open-page.ts'
import type { NamedPage, Opener, PageContext } from './open-page.ts'

const INVITATION = {
  state: 'open',
  project: LONG_NAME,
  role: 'developer',
  invitedBy: `${'vlasnica-'.repeat(7)}@primjer-prodavnice.me`,
  email: 'demo@example.com',
  expiresAt: '2026-11-24T10:00:00.000Z',
}

export function toEntryPages({ openPath }: PageContext): NamedPage[] {
  const invitation =
    (status: number, json: object): Opener =>
    async (page) => {
      // Otherwise only the hash of the URL would change, and the page would not be loaded again.
      await page.goto('about:blank')
      await respondWith(page, 'POST /portal/api/invitations/view', status, json)
      await openPath('/invitation#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq', 'main a')(page)
    }
  return [
    ['sign-in', openPath('/sign-in')],
    [
      'sign-in-second-step',
      openThen(openPath('/sign-in', 'input[type=password]'), async (page) => {
        await respondWith(page, 'POST /portal/api/sign-in', 200, {
          secondFactor: ['totp', 'passkey', 'recovery'],
        })
        await page.fill('input[type=email]', 'ana@example.me')
        await page.fill('input[type=password]', 'sedam plavih brodova')
        await page.keyboard.press('Enter')
        await page.waitForSelector('input[autocomplete=one-time-code]')
      }),
    ],
    ['sign-up', openPath('/sign-up')],
    ['forgot', openPath('/forgot')],
    ['reset', openPath('/reset#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq')],
    ['reset-broken', openPath('/reset')],
    [
      'confirm-email',
      openPath('/confirm-email#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq', 'div[role=status]'),
    ],
    ['invitation', invitation(200, INVITATION)],
    ['invitation-other', invitation(200, { ...INVITATION, email: 'vesna@example.me' })],
    ['invitation-expired', invitation(200, { ...INVITATION, state: 'expired' })],
    ['invitation-accepted', invitation(200, { state: 'accepted' })],
    ['invitation-ended', invitation(200, { state: 'ended' })],
    ['invitation-unknown', invitation(404, { code: 'not_found', status: 404 })],
    ['not-found', openPath('/no-such-page')],
    ['no-project', openPath('/projects/abcdefghijklmnopqrstuvwx/keys', 'main a')],
  ]
}
