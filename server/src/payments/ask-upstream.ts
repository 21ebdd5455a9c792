// An operator asks an upstream about one payment now. What it reports is recorded on the same path as every other report.
import type { Charge } from '../backends/backend.ts'
import { GarbledAnswerError } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import { isFinal } from './payment.ts'
import { findPayment } from './payments-store.ts'
import type { Report } from './reactions.ts'
import { toEvent } from './reactions.ts'
import { recordReport, toSafeText } from './record-report.ts'
import { requireBackend } from './upstream.ts'

export interface Asked {
  /** As it stands after the report was recorded. */
  payment: Payment
  /** The status the upstream reported, `unknown` when it has no such payment, or `no response`. */
  said: Charge['status'] | 'unknown' | 'no response'
  /** Why there was no response. */
  why: string | null
  /** It reported a charge of exactly this payment, also where that was too old a report to be recorded. */
  isCharged: boolean
}

type Heard = { report: Charge | null } | { report: Extract<Report, string>; why: string }

async function hear(ask: () => Promise<Charge | null>): Promise<Heard> {
  try {
    return { report: await ask() }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { report: error instanceof GarbledAnswerError ? 'garbled' : 'silent', why: toSafeText(why, 160) }
  }
}

async function record(deps: PaymentDeps, payment: Payment, heard: Heard): Promise<Asked> {
  const { report } = heard
  if (report === null) return { payment, said: 'unknown', why: null, isCharged: false }
  await recordReport(deps, payment, report)
  // Read again: a report that puts it in review does not move it.
  const now = (await findPayment(deps.db, payment.id)) ?? payment
  if (typeof report === 'string')
    return { payment: now, said: 'no response', why: 'why' in heard ? heard.why : null, isCharged: false }
  const event = toEvent(payment, report)
  const isCharged = event === 'charged' || event === 'charged_again'
  return { payment: now, said: report.status, why: null, isCharged }
}

/** Changes nothing here; what the upstream would be recorded as saying. */
export async function peekUpstream(
  deps: PaymentDeps,
  payment: Payment,
): Promise<Pick<Asked, 'said' | 'why'>> {
  const heard = await hear(async () => requireBackend(deps, payment).find(payment.id))
  if (heard.report === null) return { said: 'unknown', why: null }
  if (typeof heard.report === 'string') return { said: 'no response', why: 'why' in heard ? heard.why : null }
  return { said: heard.report.status, why: null }
}

export async function askUpstream(deps: PaymentDeps, payment: Payment): Promise<Asked> {
  const heard = await hear(async () => requireBackend(deps, payment).find(payment.id))
  return record(deps, payment, heard)
}

/**
 * Before a person ends an open payment, the upstream is asked once more, and what it has not charged is closed there, so
 * that it cannot charge afterwards. An upstream that does not respond cannot keep the person from deciding.
 */
export async function closeUpstream(deps: PaymentDeps, payment: Payment): Promise<Asked> {
  const asked = await askUpstream(deps, payment)
  const isCloseable =
    asked.said === 'processing' || asked.said === 'requires_action' || asked.said === 'unknown'
  if (isFinal(asked.payment.state) || !isCloseable) return asked
  const isUnderway = asked.said === 'processing'
  const heard = await hear(async () => requireBackend(deps, asked.payment).cancel(payment.id, { isUnderway }))
  return record(deps, asked.payment, heard)
}
