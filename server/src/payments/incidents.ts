// An incident reports a fault to the operator. It is stored as one row, however often it is raised, and is logged and
// mailed only when it is new or reopened.
import type { Tx } from '../db/pool.ts'
import { requireOpenGate } from '../db/gate-view.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PaymentDeps } from './deps.ts'
import { notifyOperator } from './incident-mails.ts'
import type { Incident, NewIncident } from './incidents-store.ts'
import { findOpenIncidentId, insertIncident, lockPayments, markClosed } from './incidents-store.ts'
import { setNeedsReview } from './payments-store.ts'

type IncidentDeps = Pick<PaymentDeps, 'config' | 'db' | 'clock' | 'log' | 'metrics'>

interface RaiseOptions {
  needsReview?: boolean
  /** Nothing is raised if the payment has ended in the meantime. Works only with needsReview or isAlreadyDecided. */
  onlyIfPaymentIsOpen?: boolean
  /**
   * Runs in the same transaction, under the payment's lock if the incident names a payment. True: an operator has already
   * decided, so nothing is raised.
   */
  isAlreadyDecided?: (tx: Tx) => Promise<boolean>
}

export async function raiseIncident(
  deps: IncidentDeps,
  incident: NewIncident,
  options: RaiseOptions = {},
): Promise<void> {
  const raised = await deps.db.transaction(async (tx) => {
    if ((options.needsReview || options.isAlreadyDecided) && incident.transactionId) {
      const [payment] = await lockPayments(tx, [incident.transactionId])
      if (options.onlyIfPaymentIsOpen && !payment?.isOpen) return null
    }
    if (await options.isAlreadyDecided?.(tx)) return null
    const raised = await insertIncident(tx, incident)
    // The incident may already have been open, but without a review. So the review is set even if the incident is not new.
    if (options.needsReview && raised.isOpen && incident.transactionId)
      await setNeedsReview(tx, incident.transactionId, true)
    if (raised.isNewOrReopened) await notifyOperator(deps, tx, { id: raised.id, kind: incident.kind })
    return raised
  })
  const { kind, transactionId, facts } = incident
  if (!raised?.isNewOrReopened) return
  const { id } = raised
  deps.metrics.countIncident(kind)
  deps.log.error({ incident: id, kind, transactionId, facts }, 'incident')
}

/** The payment is in review, and closing its incident would not decide whether the payment counts as paid. */
export class InReviewError extends Error {
  override readonly name = 'InReviewError'
}

export async function closeIncident(deps: Pick<IncidentDeps, 'db'>, id: number): Promise<Incident> {
  return deps.db.transaction(async (tx) => {
    const [payment] = await lockPayments(tx, [], [id])
    if (payment?.needsReview) throw new InReviewError()
    const closed = await markClosed(tx, id)
    if (!closed) throw new ServiceError('not_found')
    // A `restored` incident stays open while payments are stopped, because no other incident says that they are stopped.
    if (closed.kind === 'restored') await requireOpenGate(tx)
    return closed
  })
}

/** Closes the open incident of this kind and subject, if there is one. The payment's row must be locked. */
export async function closeOpenIncident(tx: Tx, kind: IncidentKind, subject: string): Promise<void> {
  const id = await findOpenIncidentId(tx, kind, subject)
  if (id !== null) await markClosed(tx, id)
}

/** Closes the payment's `unresolved` incident, after the upstream has reported the end of the payment. */
export async function closeUnresolved(deps: Pick<IncidentDeps, 'db'>, transactionId: string): Promise<void> {
  const id = await findOpenIncidentId(deps.db, 'unresolved', transactionId)
  if (id === null) return
  await deps.db.transaction(async (tx) => {
    await lockPayments(tx, [], [id])
    await markClosed(tx, id)
  })
}
