// The pages for links and QR codes, the status check, the quickstart, the inbox, the exam and the debugger.
import type { Page } from 'playwright-core'
import { HARD_INBOX, HARD_REPORT, HARD_REQUEST } from '../hard-data.ts'
import { toProjectPath, respondWith, openThen } from './open-page.ts'
import type { NamedPage, PageContext } from './open-page.ts'

function openInbox(openPath: PageContext['openPath'], id: string): NamedPage[1] {
  return async (page) => {
    const open = openPath(toProjectPath(id, '/inbox?mode=test'))
    await open(page)
    await respondWith(page, `GET /portal/api/projects/${id}/inbox*`, 200, HARD_INBOX)
    await open(page)
    // `respondWith` stays in effect, because the page requests the inbox again and again.
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

// Why this is long: one list of pages.
export function toToolPages({
  openPath,
  demoProjectId,
  hardProjectId,
  emptyProjectId,
}: PageContext): NamedPage[] {
  return [
    [
      'link',
      openThen(openPath(toProjectPath(demoProjectId, '/link'), 'input[inputmode=decimal]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('main img[alt]')
      }),
    ],
    [
      'link-print',
      openThen(openPath(toProjectPath(hardProjectId, '/link'), 'input[inputmode=decimal]'), async (page) => {
        await page.locator('input[inputmode=decimal]').fill('9999999999,99')
        await page.waitForSelector('main img[alt]')
        await page.locator('main div:not([inert]) > div > div > button:has(svg.lucide-printer)').click()
        await page.waitForSelector('dialog[open] img')
      }),
    ],
    ['link-empty', openPath(toProjectPath(demoProjectId, '/link'), 'main svg.lucide-qr-code')],
    ['link-test', openPath(toProjectPath(hardProjectId, '/link?mode=test'), 'main img[alt]')],
    ['status', openThen(openPath(toProjectPath(demoProjectId, '/status'), 'main summary'), openSample)],
    [
      'status-unknown',
      openPath(toProjectPath(demoProjectId, '/status?q=nothing-like-this'), 'main [role=status] svg'),
    ],
    [
      'quickstart',
      openPath(toProjectPath(hardProjectId, '/quickstart?mode=test'), 'main li:nth-child(6) pre'),
    ],
    ['inbox-empty', openPath(toProjectPath(emptyProjectId, '/inbox?mode=test'), 'main a[href*="/pay?"]')],
    ['inbox', openInbox(openPath, emptyProjectId)],
    ['inbox-with-server', openInbox(openPath, hardProjectId)],
    ['exam-without-server', openPath(toProjectPath(emptyProjectId, '/exam?mode=test'), 'main li')],
    ['exam', openPath(toProjectPath(hardProjectId, '/exam'), 'main code')],
    ['exam-ask', openThen(openPath(toProjectPath(hardProjectId, '/exam'), 'main code'), openExamDialog)],
    [
      'exam-passed',
      openThen(openPath(toProjectPath(demoProjectId, '/exam?mode=test'), 'main code'), async (page) => {
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main ul p + p')
      }),
    ],
    [
      'exam-failed',
      openThen(openPath(toProjectPath(hardProjectId, '/exam'), 'main code'), async (page) => {
        await respondWith(page, `POST /portal/api/projects/${hardProjectId}/exam`, 200, HARD_REPORT)
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main pre')
      }),
    ],
    [
      'exam-refused',
      openThen(openPath(toProjectPath(hardProjectId, '/exam'), 'main code'), async (page) => {
        const refusal = { code: 'rate_limited', status: 429 }
        await respondWith(page, `POST /portal/api/projects/${hardProjectId}/exam`, 429, refusal)
        await openExamDialog(page)
        await page.locator('dialog[open] button').nth(1).click()
        await page.waitForSelector('main [role=alert]')
      }),
    ],
    ['debug', openPath(toProjectPath(hardProjectId, '/debug?mode=test'), 'form')],
    [
      'debug-wrong',
      openThen(openPath(toProjectPath(hardProjectId, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill(HARD_REQUEST)
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
    [
      'debug-nothing',
      openThen(openPath(toProjectPath(hardProjectId, '/debug'), 'form'), async (page) => {
        await page.locator('textarea').first().fill('no request at all')
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('main [role=alert] li')
      }),
    ],
  ]
}
