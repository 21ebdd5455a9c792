// Step 4 of the trip: the payer presses Pay. Only the sealed token is believed. The same token always gets the same
// result, also when the link has been refused, or the page has grown old, since it was first sent.
import { queryOf } from '../http/server.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Order } from '../payments/payment.ts'
import { isInReview, isPaid, isUnpaid } from '../payments/payment.ts'
import type { Memory } from './attempt-memory.ts'
import { recallAttempt, rememberAttempt } from './attempt-memory.ts'
import type { Attempt } from './attempt-token.ts'
import { nextAttemptId, openAttempt, toLatestIds } from './attempt-token.ts'
import { toShown } from './answers.ts'
import { answerConfirmation, answerPayment } from './confirm-answer.ts'
import { answerHeld } from './held-order.ts'
import type { OpenLink } from './open-link.ts'
import { openLink, requirePayTarget } from './open-link.ts'
import { holdReturn } from './payment-answers.ts'
import { OutcomeUnknownError } from './refusal-answer.ts'
import { presentLink } from './show-link.ts'
import type { ShownPayment } from './shown-payment.ts'
import { toDecisive } from './shown-payment.ts'
import { clearWay } from './start-over.ts'
import type { Visit } from './visit.ts'

function toOrder(visit: Visit, { id, checkoutId, link }: Attempt): Order {
  return {
    attemptId: id,
    checkoutId: link.customId === null ? checkoutId : null,
    projectId: link.projectId,
    mode: link.mode,
    amount: BigInt(link.amount),
    ...toShown(visit),
    customId: link.customId,
    data: link.data === '' ? null : link.data,
  }
}

const toAttempt = ({ attemptId, checkoutId }: ShownPayment) => ({ id: attemptId, checkoutId })

/** The form posts to its link's own address, so the page can be shown anew even when the token tells nothing. */
async function answerUnreadable(visit: Visit): Promise<void> {
  const { req, words, wantsJson } = visit
  if (wantsJson || !req.url.includes('?')) throw invalidField('token', 'invalid')
  return presentLink(visit, parsePayLink(queryOf(req)), { notice: words.notices.formInvalid, status: 400 })
}

/** A form that was sent before, by the payment it made; in a browser by a later one, if that one is the truth by now. */
async function answerRepeat(visit: Visit, open: OpenLink, own: ShownPayment): Promise<void> {
  const { link, shop } = open
  const latest = shop.attempts[0] ?? own
  rememberAttempt(visit, link, { ...toAttempt(latest), isPressed: true })
  const decisive = toDecisive(shop.attempts) ?? own
  const isSelf = !isUnpaid(own) || (visit.wantsJson && !isInReview(decisive))
  if (isSelf) return answerPayment(visit, open, toAttempt(own), own)
  // Its own attempt was not charged, but "no money was taken" would be wrong of the order.
  const next = { id: nextAttemptId(latest.attemptId), checkoutId: latest.checkoutId }
  if (isUnpaid(decisive) && (await answerHeld(visit, open, next))) return
  return answerPayment(visit, open, toAttempt(decisive), decisive)
}

/**
 * Two windows that opened the link at the same moment hold two attempts, and only one of them is in the browser's
 * memory. An order's customId would keep the other from being charged; without one, nothing else does.
 */
function isForgotten(attempt: Attempt, memory: Memory | null): boolean {
  return (
    attempt.link.customId === null && memory !== null && !toLatestIds(memory.attemptId).includes(attempt.id)
  )
}

/**
 * A payment that was there before this press may have been charged: the one left open at the bank, or the one of an
 * earlier press. A token made after a failure says that the failed one was not.
 */
function mayHavePaid(attempt: Attempt, memory: Memory | null): boolean {
  if (attempt.replaces !== null) return true
  return memory !== null && memory.isPressed && attempt.id !== nextAttemptId(memory.attemptId)
}

/** The page showed the amount in another currency, or with other decimals, than it would be charged in now. */
function wasShownOtherwise(visit: Visit, { shown, sealedMs }: Attempt): boolean {
  const now = toShown(visit)
  if (shown) return shown.currency !== now.currency || shown.scale !== now.scale
  // Sealed by a release that did not say: in what everything was until the first change.
  const { changedAt } = visit.deps.installation
  return changedAt !== null && sealedMs < changedAt.getTime()
}

export async function confirmLink(visit: Visit, token: string): Promise<void> {
  const { deps } = visit
  const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
  if (!attempt) return answerUnreadable(visit)
  const memory = recallAttempt(visit, attempt.link)
  try {
    await confirmAttempt(visit, attempt, memory)
  } catch (error) {
    const isLost = error instanceof ServiceError && error.code === 'unavailable'
    throw isLost && mayHavePaid(attempt, memory) ? new OutcomeUnknownError(error) : error
  }
}

async function confirmAttempt(visit: Visit, attempt: Attempt, memory: Memory | null): Promise<void> {
  const { deps, words, wantsJson } = visit
  const { link } = attempt
  const known = memory ? toLatestIds(memory.attemptId) : []
  const shop = await requirePayTarget(deps, link, [...toLatestIds(attempt.id), ...known], attempt.checkoutId)
  // Signed when the token was made; what has happened is told also where the link can no longer be paid.
  const asShown = { link, shop, isSigned: link.sig !== null, isPaid: false }
  const own = shop.attempts.find((one) => one.attemptId === attempt.id)
  if (own) return answerRepeat(visit, asShown, own)
  const isPaidCheckout = (one: ShownPayment) => isPaid(one) && one.checkoutId === attempt.checkoutId
  const standing = shop.attempts.find(isInReview) ?? shop.attempts.find(isPaidCheckout)
  if (standing) return answerPayment(visit, asShown, toAttempt(standing), standing)
  const open = openLink(deps, link, shop)
  const isOtherMoney = wasShownOtherwise(visit, attempt)
  if (attempt.isTooOld || isOtherMoney || isForgotten(attempt, memory)) {
    if (wantsJson) throw new ServiceError('token_expired')
    const { pageTooOld, currencyChanged, openElsewhere } = words.notices
    const notice = isOtherMoney ? currencyChanged : attempt.isTooOld ? pageTooOld : openElsewhere
    return presentLink(visit, link, { notice, status: 410 })
  }
  if (!(await clearWay(visit, open, attempt))) return
  // Before the money step, so that even an answer that fails carries it.
  rememberAttempt(visit, link, { ...attempt, isPressed: true })
  const outcome = await confirmPayment(deps, toOrder(visit, attempt))
  if (outcome.kind === 'payment' && outcome.payment.state === 'succeeded')
    await holdReturn(deps, outcome.payment.id)
  return answerConfirmation(visit, open, attempt, outcome)
}
