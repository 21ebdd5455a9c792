// The pages for transactions, deliveries and statements, also with an open drawer or an empty list.
import { toHardStatement, toOddDeliveries, toReviewedPayments } from '../hard-data.ts'
import { openFirstRow, openRow, toProjectPath, respondWith, openThen } from './open-page.ts'
import type { NamedPage, Opener, PageContext } from './open-page.ts'

function openOddDelivery({ openPath, hardProjectId }: PageContext, index: number): Opener {
  return async (page) => {
    const list = toOddDeliveries(hardProjectId)
    const { lastAttempt, ...callback } = list.items[index]!
    const path = `/portal/api/projects/${hardProjectId}/deliveries`
    await respondWith(page, `GET ${path}?*`, 200, list)
    await respondWith(page, `GET ${path}/${callback.id}`, 200, {
      callback,
      body: {},
      attempts: [lastAttempt],
    })
    await openPath(toProjectPath(hardProjectId, '/deliveries?mode=test'), 'tbody tr')(page)
    await openRow(page, index)
    await page.waitForSelector('dialog[open] ol li')
  }
}

/** Opens the list of reviewed payments, and the drawer of one of them if `index` is set. */
function openReviewed({ openPath, hardProjectId }: PageContext, index: number | null): Opener {
  return async (page) => {
    const list = toReviewedPayments(hardProjectId)
    await respondWith(page, 'POST /sdk/transactions/list', 200, list)
    await openPath(toProjectPath(hardProjectId, '/transactions'), 'tbody tr')(page)
    if (index !== null) {
      // The drawer makes a request of its own, for one payment.
      await respondWith(page, 'POST /sdk/transactions/list', 200, { ...list, items: [list.items[index]] })
      await openRow(page, index)
    }
  }
}

function openHardStatement({ openPath, hardProjectId }: PageContext): Opener {
  return async (page) => {
    await respondWith(page, `GET /portal/api/projects/${hardProjectId}/statement?*`, 200, toHardStatement())
    await openPath(toProjectPath(hardProjectId, '/statement?month=2026-10'), 'tfoot tr')(page)
  }
}

export function toListPages(context: PageContext): NamedPage[] {
  const { openPath, demoProjectId, emptyProjectId } = context
  return [
    ['transactions', openPath(toProjectPath(demoProjectId, '/transactions'), 'tbody tr')],
    [
      'transactions-drawer',
      openThen(openPath(toProjectPath(demoProjectId, '/transactions'), 'tbody tr'), openFirstRow),
    ],
    [
      'transactions-views',
      openThen(
        openPath(toProjectPath(demoProjectId, '/transactions?status=failed'), 'tbody tr'),
        async (page) => {
          await page.locator('main button:has(svg.lucide-bookmark)').click()
          await page.waitForSelector('main form input')
        },
      ),
    ],
    [
      'transactions-columns',
      openThen(openPath(toProjectPath(demoProjectId, '/transactions'), 'tbody tr'), async (page) => {
        const button = page.locator('main button:has(svg.lucide-columns-3)')
        if (!(await button.isVisible())) return
        await button.click()
        await page.waitForSelector('main input[type=checkbox]')
      }),
    ],
    ['transactions-reviewed-list', openReviewed(context, null)],
    ['transactions-in-review', openReviewed(context, 0)],
    ['transactions-paid-in-review', openReviewed(context, 2)],
    ['transactions-resolved-paid', openReviewed(context, 3)],
    ['transactions-resolved-unpaid', openReviewed(context, 4)],
    [
      'transactions-empty',
      openPath(toProjectPath(emptyProjectId, '/transactions?mode=test'), 'main a[href*="/link"]'),
    ],
    [
      'transactions-no-match',
      openPath(toProjectPath(demoProjectId, '/transactions?q=nothing-like-this'), 'main [role=status]'),
    ],
    ['deliveries', openPath(toProjectPath(demoProjectId, '/deliveries'), 'tbody tr')],
    [
      'deliveries-drawer',
      openThen(openPath(toProjectPath(demoProjectId, '/deliveries'), 'tbody tr'), openFirstRow),
    ],
    [
      'deliveries-verify',
      openThen(
        openThen(openPath(toProjectPath(demoProjectId, '/deliveries'), 'tbody tr'), openFirstRow),
        async (page) => {
          await page.locator('dialog[open] details summary').click()
          await page.waitForSelector('dialog[open] details pre')
        },
      ),
    ],
    [
      'deliveries-filtered',
      openPath(toProjectPath(demoProjectId, '/deliveries?outcome=http_error'), 'tbody tr'),
    ],
    ['deliveries-forwarded', openOddDelivery(context, 0)],
    ['deliveries-retrying', openOddDelivery(context, 1)],
    ['deliveries-cancelled', openOddDelivery(context, 2)],
    ['statement', openPath(toProjectPath(demoProjectId, '/statement'), 'tfoot tr')],
    ['statement-hard', openHardStatement(context)],
    [
      'statement-empty',
      openPath(toProjectPath(emptyProjectId, '/statement?month=2026-01'), 'main section, main p a'),
    ],
    ['deliveries-empty', openPath(toProjectPath(emptyProjectId, '/deliveries?mode=test'))],
  ]
}
