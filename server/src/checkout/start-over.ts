// A payer begins anew although a bank's page is still open: the open payment is closed upstream first, and only if that
// is confirmed may the new one go on.
import type { FastifyReply } from 'fastify'
import { findPayment } from '../payments/payments-store.ts'
import { abandonBankStep } from '../payments/reconcile.ts'
import { sendOn } from './answers.ts'
import { recallAttempt } from './attempt-memory.ts'
import type { Attempt } from './attempt-token.ts'
import { sendAlreadyPaid, sendBankStepElsewhere, sendInFlight } from './link-answers.ts'
import type { OpenLink } from './open-link.ts'
import { toPlainLink } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'
import type { Visit } from './visit.ts'

/** Null when the way is free; else what the payer is told instead of a new payment. */
export async function clearWay(visit: Visit, open: OpenLink, attempt: Attempt): Promise<FastifyReply | null> {
  const { deps, words, wantsJson } = visit
  const first = attempt.replaces === null ? null : await findPayment(deps.db, attempt.replaces)
  if (!first) return null
  const { payment, mayStartAnew } = await abandonBankStep(deps, first)
  if (mayStartAnew) return null
  if (await isOwn(visit, payment.id))
    return sendOn(visit, 'state', `${deps.config.baseUrl}/pay/${payment.id}?return=1`)
  if (payment.state === 'succeeded') return sendAlreadyPaid(visit, open)
  if (wantsJson) return sendInFlight(visit, open)
  const facts = { holderId: payment.id, attemptId: attempt.id, notice: words.bankStepKept }
  return sendBankStepElsewhere(visit, open, facts)
}

async function isOwn(visit: Visit, id: string): Promise<boolean> {
  const shown = await findShownPayment(visit.deps.db, id)
  const memory = shown && recallAttempt(visit, toPlainLink(shown.payment))
  return memory?.attemptId === shown?.payment.attemptId
}
