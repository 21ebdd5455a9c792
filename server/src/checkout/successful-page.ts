// GET /pay/successful: a plain confirmation, for shops that have no page of their own to come back to. It asks nobody
// and proves nothing: what it says is what its address says, and the receipt behind its link is the truth.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Notice } from '@pazar/words'
import { toReference } from '../payments/payment.ts'
import type { NoticeFacts } from './notice-page.ts'
import { noticePage } from './notice-page.ts'
import type { Page, PageContext } from './page-parts.ts'
import { toReferenceRow } from './page-parts.ts'
import { declinedNotice } from './payment-page.ts'
import type { CheckoutWords } from './visit.ts'

export interface SuccessfulQuery {
  status: string | undefined
  transactionId: string | undefined
}

/** As a resultUrl it is also come back to from a payment that did not go through. */
function toNotice(words: CheckoutWords, status: string | undefined): [Notice, NoticeFacts['tone']] {
  const { success } = words
  switch (status) {
    case 'fail':
      return [{ ...declinedNotice(words, null), next: success.close }, 'error']
    case 'cancel':
      return [{ ...words.cancelled, next: success.close }, 'warn']
    case 'pending':
      return [{ ...words.pending, next: words.pending.slow }, 'info']
    default:
      return [{ heading: success.heading, money: success.order, next: success.close }, 'ok']
  }
}

export function successfulPage(context: PageContext, query: SuccessfulQuery): Page {
  const { words } = context
  const [notice, tone] = toNotice(words, query.status)
  const id = query.transactionId
  if (id === undefined || !TRANSACTION_ID_PATTERN.test(id))
    return noticePage(context, notice, { tone, ways: [] })
  const label = tone === 'ok' ? words.actions.showReceipt : words.actions.checkAgain
  const rows = [toReferenceRow(words, toReference(id))]
  return noticePage(context, notice, { tone, rows, ways: [{ href: `/pay/${id}`, label }] })
}
