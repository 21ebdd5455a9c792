// Step 4 of the trip: the payer presses Pay. Only the sealed token is believed. The same token always gets the same
// result, also when the link has been refused, or the page has grown old, since it was first sent.
import { queryOf } from '../http/server.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Order } from '../payments/payment.ts'
import { sendOn } from './answers.ts'
import { rememberAttempt } from './attempt-memory.ts'
import { openAttempt } from './attempt-token.ts'
import { answerConfirmation, answerPayment } from './confirm-answer.ts'
import { openLink, requirePayTarget } from './open-link.ts'
import { presentLink } from './show-link.ts'
import { clearWay } from './start-over.ts'
import type { Visit } from './visit.ts'

/** A payer takes a spinner of this length for the bank's, and hardly a longer one. */
const RETURN_HELD_MS_MAX = 3_000

function toOrder(visit: Visit, attemptId: string, link: PayLink): Order {
  return {
    attemptId,
    projectId: link.projectId,
    mode: link.mode,
    amount: BigInt(link.amount),
    currency: visit.deps.config.currency,
    customId: link.customId,
    data: link.data === '' ? null : link.data,
  }
}

/** The form posts to its link's own address, so the page can be shown anew even when the token tells nothing. */
async function answerUnreadable(visit: Visit): Promise<void> {
  const { req, reply, words, wantsJson } = visit
  if (wantsJson || !req.url.includes('?')) throw invalidField('token', 'invalid')
  reply.code(400)
  return presentLink(visit, parsePayLink(queryOf(req)), words.notices.formInvalid)
}

export async function confirmLink(visit: Visit, token: string): Promise<void> {
  const { deps, reply, words, wantsJson } = visit
  const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
  if (!attempt) return answerUnreadable(visit)
  const { link } = attempt
  const shop = await requirePayTarget(deps, link, [attempt.id])
  const { own } = shop
  if (own) {
    rememberAttempt(visit, link, attempt.id)
    if (own.needsReview) return sendOn(visit, 'state', `${deps.config.baseUrl}/pay/${own.id}`)
    return answerPayment(visit, { link, shop, isSigned: link.sig !== null }, attempt.id, own)
  }
  const open = openLink(deps, link, shop)
  if (attempt.isTooOld) {
    if (wantsJson) throw new ServiceError('token_expired')
    reply.code(410)
    return presentLink(visit, link, words.notices.pageTooOld)
  }
  if (!(await clearWay(visit, open, attempt))) return
  // Before the money step, so that even an answer that fails carries it.
  rememberAttempt(visit, link, attempt.id)
  const outcome = await confirmPayment(deps, toOrder(visit, attempt.id, link))
  // Where the shop answers quickly, it already knows of the payment when its customer comes back.
  if (outcome.kind === 'payment' && outcome.payment.state === 'succeeded')
    await deps.deliveryWaits.waitForDelivery(outcome.payment.id, RETURN_HELD_MS_MAX)
  return answerConfirmation(visit, open, attempt.id, outcome)
}
