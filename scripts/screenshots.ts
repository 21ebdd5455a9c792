// Takes screenshots of the portal's pages in all widths, languages and themes, into ./screenshots. With an
// argument, only screenshots whose names contain the argument are taken. `npm run screenshots -- readme` takes the two
// pictures of the README instead.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../server/test/browser.ts'
import { openPages, stretchTexts } from '../server/test/portal/pages.ts'
import { startServiceProcess } from '../server/test/service-process.ts'
import type { ServiceProcess } from '../server/test/service-process.ts'
import { ensurePortalBuilt } from './build-portal.ts'

const OUT = fileURLToPath(new URL('../screenshots', import.meta.url))
const README_OUT = fileURLToPath(new URL('../docs/pictures', import.meta.url))
const filter = process.argv[2] ?? ''

const VARIANTS = (['phone', 'desktop'] as const).flatMap((width) =>
  (['cnr', 'en'] as const).flatMap((locale) =>
    (['light', 'dark'] as const).map((theme) => ({ width, locale, theme })),
  ),
)

async function waitForNetworkIdle(page: Page): Promise<void> {
  // The page of the callback log reads an event stream that never ends, so its network is never idle.
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
}

async function takeScreenshots(
  browser: Browser,
  baseUrl: string,
  account: { email: string; password: string },
): Promise<number> {
  let count = 0
  for (const { width, locale, theme } of VARIANTS) {
    const viewport = width === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 900 }
    const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: baseUrl })
    const page = await context.newPage()
    for (const [name, open] of await openPages(context, locale, account)) {
      if (filter !== '' && !`${name}-${width}-${locale}-${theme}`.includes(filter)) continue
      await open(page)
      await waitForNetworkIdle(page)
      const file = path.join(OUT, `${name}-${width}-${locale}-${theme}.png`)
      await page.screenshot({ path: file, fullPage: true })
      count += 1
      if (width === 'phone' && locale === 'cnr' && theme === 'light') {
        await stretchTexts(page)
        await page.screenshot({ path: path.join(OUT, `${name}-phone-stretched.png`), fullPage: true })
      }
    }
    await context.close()
  }
  return count
}

async function takeReadmeScreenshots(browser: Browser, service: ServiceProcess): Promise<number> {
  const merchant = await browser.newContext({
    viewport: { width: 1280, height: 1060 },
    baseURL: service.baseUrl,
  })
  const logPage = await merchant.newPage()
  await new Map(await openPages(merchant, 'en', service)).get('deliveries')!(logPage)
  await waitForNetworkIdle(logPage)
  await logPage.screenshot({ path: path.join(README_OUT, 'delivery-log.png') })
  await merchant.close()

  const payer = await browser.newContext({ viewport: { width: 560, height: 690 }, locale: 'en' })
  const payPage = await payer.newPage()
  await payPage.goto(service.payLink)
  await payPage.screenshot({ path: path.join(README_OUT, 'pay-page.png') })
  await payer.close()
  return 2
}

await ensurePortalBuilt()
const isForReadme = filter === 'readme'
const out = isForReadme ? README_OUT : OUT
mkdirSync(out, { recursive: true })
const dir = mkdtempSync(path.join(tmpdir(), 'pazar-shots-'))
const service = await startServiceProcess({ DATA_DIR: dir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' })
const browser = await launchBrowser()
try {
  const count = await (isForReadme
    ? takeReadmeScreenshots(browser, service)
    : takeScreenshots(browser, service.baseUrl, service))
  console.log(`${count} screenshots in ${out}`)
} finally {
  await browser.close()
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
}
