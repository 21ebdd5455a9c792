// The pages for links and QR codes, the status check, the quickstart, the inbox, the exam and the debugger.
import type { Page } from 'playwright-core'
import { HARD_INBOX, HARD_REPORT, HARD_REQUEST } from '../hard-data.ts'
import { toProjectPath, respondWith, openThen } from './open-page.ts'
import type { NamedPage, PageContext } from './open-page.ts'

/** Opens the inbox with requests that are hard to display. */
function openInbox(at: PageContext['at'], id: string): NamedPage[1] {
  return async (page) => {
    const open = at(toProjectPath(id, '/inbox?mode=test'))
    await open(page)
    await respondWith(page, `GET /portal/api/projects/${id}/inbox*`, 200, HARD_INBOX)
    await open(page)
    // The route is not removed, because the page polls.
    await page.waitForSelector('main ol pre')
  }
}

/** The sample of the status check is loaded when its section is opened. */
async function openSample(page: Page): Promise<void> {
  await page.locator('main summary').click()
  await page.waitForSelector('main pre')
}

async function openExamDialog(page: Page): Promise<void> {
  await page.locator('main section button').click()
  await page.waitForSelector('dialog[open] code')
}

export function toToolPages({ at, demo, hard, empty }: PageContext): NamedPage[] {
  return [
    [
      'link',
      openThen(at(toProjectPath(demo, '/link'), 'input[inputmode=decimal]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('main img[alt]')
      }),
    ],
    [
      'link-print',
      openThen(at(toProjectPath(hard, '/link'), 'input[inputmode=decimal]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('main img[alt]')
        await page.locator('main div:not([inert]) > div > div > button:has(svg.lucide-printer)').click()
        await page.waitForSelector('dialog[open] img')
      }),
    ],
    ['link-empty', at(toProjectPath(demo, '/link'), 'main svg.lucide-qr-code')],
    ['link-test', at(toProjectPath(hard, '/link?mode=test'), 'main img[alt]')],
    ['status', openThen(at(toProjectPath(demo, '/status'), 'main summary'), openSample)],
    ['status-unknown', at(toProjectPath(demo, '/status?q=nothing-like-this'), 'main [role=status] svg')],
    ['quickstart', at(toProjectPath(hard, '/quickstart?mode=test'), 'main li:nth-child(6) pre')],
    ['inbox-empty', at(toProjectPath(empty, '/inbox?mode=test'), 'main a[href*="/pay?"]')],
    ['inbox', openInbox(at, empty)],
    ['inbox-with-server', openInbox(at, hard)],
    ['exam-without-server', at(toProjectPath(empty, '/exam?mode=test'), 'main code')],
    ['exam', at(toProjectPath(hard, '/exam'), 'main code')],
    ['exam-ask', openThen(at(toProjectPath(hard, '/exam'), 'main code'), openExamDialog)],
    [
      'exam-passed',
      openThen(at(toProjectPath(demo, '/exam?mode=test'), 'main code'), async (page) => {
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main ul p + p')
      }),
    ],
    [
      'exam-failed',
      openThen(at(toProjectPath(hard, '/exam'), 'main code'), async (page) => {
        await respondWith(page, `POST /portal/api/projects/${hard}/exam`, 200, HARD_REPORT)
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main pre')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    [
      'exam-refused',
      openThen(at(toProjectPath(hard, '/exam'), 'main code'), async (page) => {
        const refusal = { code: 'rate_limited', status: 429 }
        await respondWith(page, `POST /portal/api/projects/${hard}/exam`, 429, refusal)
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main [role=alert]')
        await page.unrouteAll({ behavior: 'wait' })
      }),
    ],
    ['debug', at(toProjectPath(hard, '/debug?mode=test'), 'form')],
    [
      'debug-wrong',
      openThen(at(toProjectPath(hard, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill(HARD_REQUEST)
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
    [
      'debug-nothing',
      openThen(at(toProjectPath(hard, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill('no request at all')
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
  ]
}
