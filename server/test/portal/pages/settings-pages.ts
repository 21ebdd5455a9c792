// The pages for secrets, settings, members and the account.
import type { Page } from 'playwright-core'
import { toProjectPath, respondWith, openThen } from './open-page.ts'
import type { NamedPage, PageContext } from './open-page.ts'

const TIME = '2026-11-16T15:04:05.000Z'

async function openNewToken(page: Page): Promise<void> {
  await page.locator('main nav + div > button').click()
  await page.waitForSelector('dialog[open] select')
}

// Why this is long: one list of pages.
export function toSettingsPages({ openPath, demoProjectId, hardProjectId }: PageContext): NamedPage[] {
  return [
    ['keys', openPath(toProjectPath(hardProjectId, '/keys'), 'main code')],
    [
      'keys-rotate',
      openThen(openPath(toProjectPath(hardProjectId, '/keys'), 'main code'), async (page) => {
        await page.locator('main section button').nth(2).click()
        await page.waitForSelector('dialog[open]')
      }),
    ],
    [
      'keys-step-up',
      openThen(openPath(toProjectPath(hardProjectId, '/keys'), 'main code'), async (page) => {
        await page.locator('main section button').nth(0).click()
        await page.waitForSelector('dialog[open] input[type=password]')
      }),
    ],
    ['settings', openPath(toProjectPath(hardProjectId, '/settings'), 'form')],
    [
      'settings-changed',
      openThen(openPath(toProjectPath(hardProjectId, '/settings'), 'form'), async (page) => {
        await page.fill('input[name=name]', 'Nova knjižara')
        await page.fill('input[name=apiUrl]', 'https://10.0.0.1/callback')
        await page.locator('input[name=apiUrl]').blur()
        await page.check('input[name="refund.result"]')
        await page.waitForSelector('input[name=apiUrl][aria-invalid]')
      }),
    ],
    [
      'settings-archive',
      openThen(
        openPath(toProjectPath(hardProjectId, '/settings?tab=danger'), 'main section:visible'),
        async (page) => {
          await page.locator('main section:visible').nth(0).locator('button').click()
          await page.waitForSelector('dialog[open]')
        },
      ),
    ],
    ['settings-checkout', openPath(toProjectPath(hardProjectId, '/settings?tab=checkout'), 'figure')],
    ['settings-history', openPath(toProjectPath(hardProjectId, '/settings?tab=history'), 'main li')],
    [
      'settings-danger',
      openPath(toProjectPath(demoProjectId, '/settings?tab=danger'), 'main svg.lucide-lock'),
    ],
    ['members', openPath(toProjectPath(hardProjectId, '/members'), 'tbody tr')],
    ['account', openPath('/account')],
    ['security', openPath('/account/security', 'main section + section')],
    [
      'security-on',
      async (page) => {
        await respondWith(page, 'GET /portal/api/totp', 200, {
          enabledAt: TIME,
          hasSecondFactor: true,
          recoveryCodesLeft: 2,
          removedAfter: TIME,
        })
        const named = (name: string) => ({ id: name, name, createdAt: TIME, lastUsedAt: TIME })
        await respondWith(page, 'GET /portal/api/passkeys', 200, {
          available: true,
          passkeys: [named('W'.repeat(60)), { ...named('Telefon'), lastUsedAt: null }],
        })
        await openPath('/account/security', 'main li button')(page)
      },
    ],
    [
      'security-set-up',
      openThen(openPath('/account/security', 'main section + section'), async (page) => {
        const path = 'M0 0h41v41H0z'
        await respondWith(page, 'POST /portal/api/totp', 200, {
          secret: 'A'.repeat(32),
          uri: 'otpauth://totp/Pazar',
          qr: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 41 41"><path fill="#fff" d="${path}"/></svg>`,
        })
        await page.locator('main section').nth(2).locator('button').first().click()
        await page.waitForSelector('dialog[open] img')
      }),
    ],
    ['sessions', openPath('/account/sessions', 'main li')],
    ['tokens', openPath('/account/tokens', 'tbody tr')],
    ['tokens-new', openThen(openPath('/account/tokens', 'tbody tr'), openNewToken)],
    [
      'tokens-new-refund',
      openThen(openThen(openPath('/account/tokens', 'tbody tr'), openNewToken), async (page) => {
        await page.locator('dialog[open] select').first().selectOption('refund')
        await page.locator('dialog[open] select').nth(1).selectOption(hardProjectId)
        await page.locator('dialog[open] input[inputmode=decimal]').fill('9999999999,99')
      }),
    ],
    [
      'tokens-fresh',
      openThen(openPath('/account/tokens', 'tbody tr'), async (page) => {
        await respondWith(page, 'POST /portal/api/tokens', 201, { token: `pat_${'W'.repeat(43)}` })
        await openNewToken(page)
        await page.fill('dialog[open] input', 'Kasa 1')
        await page.keyboard.press('Enter')
        await page.waitForSelector('dialog[open] output')
      }),
    ],
    [
      'tokens-revoke',
      openThen(openPath('/account/tokens', 'tbody tr'), async (page) => {
        await page.locator('tbody tr button').first().click()
        await page.waitForSelector('dialog[open]')
      }),
    ],
    [
      'tokens-empty',
      async (page) => {
        await respondWith(page, 'GET /portal/api/tokens', 200, { tokens: [] })
        await openPath('/account/tokens', 'main p + div button')(page)
      },
    ],
    [
      'tokens-failed',
      async (page) => {
        await respondWith(page, 'GET /portal/api/tokens', 429, { code: 'rate_limited', status: 429 })
        await openPath('/account/tokens', 'main [role=alert]')(page)
      },
    ],
    ['audit', openPath('/account/audit', 'tbody tr')],
  ]
}
