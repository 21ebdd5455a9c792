// Transactions, deliveries and statements, with their drawers and their empty states.
import { toHardStatement, toOddDeliveries, toReviewedPayments } from '../hard-data.ts'
import { openFirstRow, openRow, toProjectPath, respondWith, openThen } from './open-page.ts'
import type { NamedPage, Opener, PageContext } from './open-page.ts'

/** Opens a delivery in a rare state, which the demo does not have. */
function openOddDelivery({ at, hard }: PageContext, index: number): Opener {
  return async (page) => {
    const list = toOddDeliveries(hard)
    const { lastAttempt, ...callback } = list.items[index]!
    const path = `/portal/api/projects/${hard}/deliveries`
    await respondWith(page, `GET ${path}?*`, 200, list)
    await respondWith(page, `GET ${path}/${callback.id}`, 200, {
      callback,
      body: {},
      attempts: [lastAttempt],
    })
    await at(toProjectPath(hard, '/deliveries?mode=test'), 'tbody tr')(page)
    await openRow(page, index)
    await page.waitForSelector('dialog[open] ol li')
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Opens the list of payments that are in review or were resolved, and the drawer of one of them if `index` is set. */
function openReviewed({ at, hard }: PageContext, index: number | null): Opener {
  return async (page) => {
    const list = toReviewedPayments(hard)
    await respondWith(page, 'POST /sdk/transactions/list', 200, list)
    await at(toProjectPath(hard, '/transactions'), 'tbody tr')(page)
    if (index !== null) {
      // The drawer requests its own payment.
      await respondWith(page, 'POST /sdk/transactions/list', 200, { ...list, items: [list.items[index]] })
      // Waits for this response. Otherwise unrouteAll could remove it first, and the service does not have this payment.
      const responded = page.waitForResponse('**/sdk/transactions/list')
      await Promise.all([responded, openRow(page, index)])
    }
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Opens a statement with the largest sums. */
function openHardStatement({ at, hard }: PageContext): Opener {
  return async (page) => {
    await respondWith(page, `GET /portal/api/projects/${hard}/statement?*`, 200, toHardStatement())
    await at(toProjectPath(hard, '/statement?month=2026-10'), 'tfoot tr')(page)
    await page.unrouteAll({ behavior: 'wait' })
  }
}

export function toListPages(context: PageContext): NamedPage[] {
  const { at, demo, empty } = context
  return [
    ['transactions', at(toProjectPath(demo, '/transactions'), 'tbody tr')],
    ['transactions-drawer', openThen(at(toProjectPath(demo, '/transactions'), 'tbody tr'), openFirstRow)],
    [
      'transactions-views',
      openThen(at(toProjectPath(demo, '/transactions?status=failed'), 'tbody tr'), async (page) => {
        await page.locator('main button:has(svg.lucide-bookmark)').click()
        await page.waitForSelector('main form input')
      }),
    ],
    [
      'transactions-columns',
      openThen(at(toProjectPath(demo, '/transactions'), 'tbody tr'), async (page) => {
        const button = page.locator('main button:has(svg.lucide-columns-3)')
        if (!(await button.isVisible())) return
        await button.click()
        await page.waitForSelector('main input[type=checkbox]')
      }),
    ],
    ['transactions-review', openReviewed(context, null)],
    ['transactions-in-review', openReviewed(context, 0)],
    ['transactions-paid-in-review', openReviewed(context, 2)],
    ['transactions-resolved-paid', openReviewed(context, 3)],
    ['transactions-resolved-unpaid', openReviewed(context, 4)],
    ['transactions-empty', at(toProjectPath(empty, '/transactions?mode=test'), 'main a[href*="/link"]')],
    ['transactions-none', at(toProjectPath(demo, '/transactions?q=nothing-like-this'), 'main [role=status]')],
    ['deliveries', at(toProjectPath(demo, '/deliveries'), 'tbody tr')],
    ['deliveries-drawer', openThen(at(toProjectPath(demo, '/deliveries'), 'tbody tr'), openFirstRow)],
    [
      'deliveries-verify',
      openThen(openThen(at(toProjectPath(demo, '/deliveries'), 'tbody tr'), openFirstRow), async (page) => {
        await page.locator('dialog[open] details summary').click()
        await page.waitForSelector('dialog[open] details pre')
      }),
    ],
    ['deliveries-filtered', at(toProjectPath(demo, '/deliveries?outcome=http_error'), 'tbody tr')],
    ['deliveries-open', openOddDelivery(context, 0)],
    ['deliveries-retrying', openOddDelivery(context, 1)],
    ['deliveries-cancelled', openOddDelivery(context, 2)],
    ['statement', at(toProjectPath(demo, '/statement'), 'tfoot tr')],
    ['statement-hard', openHardStatement(context)],
    ['statement-empty', at(toProjectPath(empty, '/statement?month=2026-01'), 'main section, main p a')],
    ['deliveries-empty', at(toProjectPath(empty, '/deliveries?mode=test'))],
  ]
}
