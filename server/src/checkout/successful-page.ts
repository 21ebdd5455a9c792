// The plain confirmation page, for merchants without a return page.
import type { z } from 'zod'
import type { paySuccessfulAnswer } from '@pazar/contract'
import type { Notice } from '@pazar/words'
import { toReference } from '../payments/payment.ts'
import type { NoticeFacts } from './notice-page.ts'
import { noticePage } from './notice-page.ts'
import type { CheckoutWords, Page, PageContext } from './page-parts.ts'
import { toReferenceRow } from './page-parts.ts'
import { declinedNotice } from './payment-page.ts'

export type UrlOutcome = z.infer<typeof paySuccessfulAnswer>

/** Merchants may use this page as their resultUrl, so it is also opened after a payment that did not succeed. */
function toNotice(words: CheckoutWords, status: UrlOutcome['status']): [Notice, NoticeFacts['tone']] {
  const { success } = words
  switch (status) {
    case 'fail':
      // Only the URL says that it failed: another payment of the order may have been charged.
      return [
        { ...declinedNotice(words, null), money: words.declined.unverified, next: success.close },
        'error',
      ]
    case 'cancel':
      return [{ ...words.cancelled, next: success.close }, 'warn']
    case 'pending':
      return [{ ...words.pending, next: words.pending.slow }, 'info']
    case 'success':
      return [{ heading: success.heading, money: success.order, next: success.close }, 'ok']
  }
}

export function successfulPage(context: PageContext, urlOutcome: UrlOutcome): Page {
  const { words } = context
  const [notice, tone] = toNotice(words, urlOutcome.status)
  const id = urlOutcome.transactionId
  if (id === undefined) return noticePage(context, notice, { tone, links: [] })
  const label = tone === 'ok' ? words.actions.showReceipt : words.actions.checkAgain
  const rows = [toReferenceRow(words, toReference(id))]
  return noticePage(context, notice, { tone, rows, links: [{ href: `/pay/${id}`, label }] })
}
