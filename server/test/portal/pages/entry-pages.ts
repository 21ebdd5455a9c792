// The pages without a session, and those for addresses that do not exist.
import { openThen, respondWith } from './open-page.ts'
import type { NamedPage, PageContext } from './open-page.ts'

export function toEntryPages({ at }: PageContext): NamedPage[] {
  return [
    ['sign-in', at('/sign-in')],
    [
      'sign-in-second-step',
      openThen(at('/sign-in', 'input[type=password]'), async (page) => {
        await respondWith(page, 'POST /portal/api/sign-in', 200, {
          secondFactor: ['totp', 'passkey', 'recovery'],
        })
        await page.fill('input[type=email]', 'ana@example.me')
        await page.fill('input[type=password]', 'sedam plavih brodova')
        await page.keyboard.press('Enter')
        await page.waitForSelector('input[autocomplete=one-time-code]')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    ['sign-up', at('/sign-up')],
    ['forgot', at('/forgot')],
    ['reset', at('/reset#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq')],
    ['reset-broken', at('/reset')],
    ['confirm-email', at('/confirm-email#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq', '[role=alert]')],
    ['invitation', at('/invitation#token=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq')],
    ['not-found', at('/no-such-page')],
    ['no-project', at('/projects/abcdefghijklmnopqrstuvwx/keys', 'main a')],
  ]
}
