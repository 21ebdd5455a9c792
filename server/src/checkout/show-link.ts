// Step 2 of the trip: a link is opened. It changes nothing and makes no row. This browser's own payment comes before
// everything else: whoever presses Back or opens the link again sees what he has done, not a fresh button.
import type { Notice } from '@pazar/words'
import { queryOf } from '../http/server.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { isPaid, isUnpaid, toReference } from '../payments/payment.ts'
import type { Memory } from './attempt-memory.ts'
import { recallAttempt, rememberAttempt } from './attempt-memory.ts'
import { newAttemptId, nextAttemptId, toLatestIds } from './attempt-token.ts'
import { answerHeld } from './held-order.ts'
import { sendAlreadyPaid, sendReady } from './link-answers.ts'
import { openLink, requirePayTarget } from './open-link.ts'
import type { PayTarget } from './pay-target-store.ts'
import { sendPayment } from './payment-answers.ts'
import { unpaidNotice } from './payment-page.ts'
import type { ReadyFacts } from './ready-page.ts'
import type { ShownPayment } from './shown-payment.ts'
import { AGAIN_PARAMETER, toDecisive } from './shown-payment.ts'
import type { Visit } from './visit.ts'

function asksForAnother({ req }: Visit, own: ShownPayment): boolean {
  return isPaid(own) && queryOf(req).all(AGAIN_PARAMETER)[0] === toReference(own.id)
}

function toReadyNotice(visit: Visit, own: ShownPayment | null, given: Notice | null): ReadyFacts['notice'] {
  if (given) return { text: given, tone: 'warn', reference: null }
  if (!own || !isUnpaid(own)) return null
  return {
    text: unpaidNotice(visit.words, own),
    tone: 'error',
    reference: toReference(own.id),
  }
}

/** Why a page that was already open is shown anew. The status goes with the notice, not with a payment shown instead. */
export interface Anew {
  notice: Notice
  status: number
}

/** The next one of the same checkout, or the first of a new one: after a payment, "pay once more" begins another. */
function toNextAttempt(shop: PayTarget, memory: Memory | null): { id: string; checkoutId: string } {
  const [latest] = shop.attempts
  const decisive = toDecisive(shop.attempts)
  if (latest && decisive) {
    const id = nextAttemptId(latest.attemptId)
    return { id, checkoutId: isPaid(decisive) ? id : latest.checkoutId }
  }
  const id = memory?.attemptId ?? newAttemptId()
  return { id, checkoutId: memory?.checkoutId ?? id }
}

export async function presentLink(visit: Visit, link: PayLink, anew: Anew | null): Promise<void> {
  const { deps, reply } = visit
  const memory = recallAttempt(visit, link)
  const ids = memory ? toLatestIds(memory.attemptId) : []
  const shop = await requirePayTarget(deps, link, ids, memory?.checkoutId ?? null)
  const latest = shop.attempts[0] ?? null
  const own = toDecisive(shop.attempts)
  if (latest && own && !isUnpaid(own) && !asksForAnother(visit, own)) {
    rememberAttempt(visit, link, { id: latest.attemptId, checkoutId: latest.checkoutId, isPressed: true })
    return sendPayment(visit, { payment: own, shop, link })
  }
  const open = openLink(deps, link, shop)
  if (open.isPaid) return sendAlreadyPaid(visit, open)
  const attempt = toNextAttempt(shop, memory)
  const remembered = latest ? { id: latest.attemptId, checkoutId: latest.checkoutId } : attempt
  rememberAttempt(visit, link, { ...remembered, isPressed: false })
  if (await answerHeld(visit, open, attempt)) return
  if (anew) reply.code(anew.status)
  return sendReady(visit, open, {
    attempt,
    notice: toReadyNotice(visit, own, anew?.notice ?? null),
    last: own,
  })
}

export function showLink(visit: Visit): Promise<void> {
  return presentLink(visit, parsePayLink(queryOf(visit.req)), null)
}
