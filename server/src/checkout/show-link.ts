// Step 2 of the trip: a link is opened. It changes nothing and makes no row. This browser's own payment comes before
// everything else: whoever presses Back or opens the link again sees what he has done, not a fresh button.
import type { Notice } from '@pazar/words'
import { queryOf } from '../http/server.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { toReference } from '../payments/payment.ts'
import { recallAttempt, rememberAttempt } from './attempt-memory.ts'
import { newAttemptId, nextAttemptId } from './attempt-token.ts'
import { sendAlreadyPaid, sendReady } from './link-answers.ts'
import { openLink, requirePayTarget } from './open-link.ts'
import { sendPayment } from './payment-answers.ts'
import { declinedNotice } from './payment-page.ts'
import type { ReadyFacts } from './ready-page.ts'
import type { ShownPayment } from './shown-payment.ts'
import { AGAIN_PARAMETER, isFreeToRetry } from './shown-payment.ts'
import type { Visit } from './visit.ts'

function asksForAnother({ req }: Visit, own: ShownPayment): boolean {
  return own.state === 'succeeded' && queryOf(req).all(AGAIN_PARAMETER)[0] === toReference(own.id)
}

function toReadyNotice(visit: Visit, own: ShownPayment | null, given: Notice | null): ReadyFacts['notice'] {
  if (given) return { text: given, tone: 'warn', reference: null }
  if (!own || !isFreeToRetry(own)) return null
  return {
    text: declinedNotice(visit.words, own.failureCode),
    tone: 'error',
    reference: toReference(own.id),
  }
}

/** `notice` says why a page that was already open is shown anew. */
export async function presentLink(visit: Visit, link: PayLink, notice: Notice | null): Promise<void> {
  const { deps } = visit
  const memory = recallAttempt(visit, link)
  // The answer to the latest attempt may have been lost on the way, and with it the cookie that names it.
  const attemptIds = memory ? [memory.attemptId, nextAttemptId(memory.attemptId)] : []
  const shop = await requirePayTarget(deps, link, attemptIds)
  const { own } = shop
  if (own && !isFreeToRetry(own) && !asksForAnother(visit, own)) {
    rememberAttempt(visit, link, own.attemptId)
    return sendPayment(visit, { payment: own, shop, link })
  }
  const open = openLink(deps, link, shop)
  if (open.isSigned && shop.holder?.state === 'succeeded' && !own) return sendAlreadyPaid(visit, open)
  const attemptId = own ? nextAttemptId(own.attemptId) : (memory?.attemptId ?? newAttemptId())
  rememberAttempt(visit, link, own?.attemptId ?? attemptId)
  return sendReady(visit, open, { attemptId, notice: toReadyNotice(visit, own, notice) })
}

export function showLink(visit: Visit): Promise<void> {
  return presentLink(visit, parsePayLink(queryOf(visit.req)), null)
}
