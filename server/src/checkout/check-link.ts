// Checks whether a link can be paid. The check runs when the page is shown and when Pay is pressed, because the project can
// change in between. payments/confirm.ts then decides whether a press of Pay leads to a charge.
import { projectId } from '@pazar/contract'
import type { Mode } from '@pazar/contract'
import { GateClosedError } from '../db/gate-view.ts'
import type { Query } from '../http/query.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { requireNotExpired } from '../paylinks/pay-link.ts'
import { requireSignature } from '../paylinks/require-signature.ts'
import { isInReview, isSameOrder } from '../payments/payment.ts'
import type { Order } from '../payments/payment.ts'
import { hasInbox } from '../projects/own-urls.ts'
import { openCachedSecret } from '../secrets/secrets.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Holder, PayTarget } from './pay-target-store.ts'
import { findPayTarget } from './pay-target-store.ts'
import { toGiveUpFacts } from './return-link.ts'
import type { ReturnFacts } from './return-url.ts'
import type { OtherPayment } from './shown-payment.ts'

export interface CheckedLink {
  link: PayLink
  target: PayTarget
  /**
   * False: anybody can have written the link. So the page does not show the link's `data` and `customId`, and it shows the
   * state of the order only to a browser that has tried to pay.
   */
  isSigned: boolean
  /**
   * The link is signed, and its order is paid with the link's amount and data. Also true if the link has expired or the
   * project is archived.
   */
  isShownAsPaid: boolean
}

/** A payment of this order that another browser made and that an operator is checking. */
export function findReviewElsewhere({ inReviewElsewhere }: PayTarget): OtherPayment | null {
  if (!inReviewElsewhere || !isInReview(inReviewElsewhere)) return null
  const { id, attemptId } = inReviewElsewhere
  return { standing: 'in_review', id, attemptId }
}

/** The link cannot be paid, but its project is known, so the page can link back to the merchant. */
export class LinkRefusal extends ServiceError {
  readonly mode: Mode
  readonly merchant: Pick<PayTarget, 'name' | 'resultUrl' | 'brand'>
  readonly returnFacts: ReturnFacts
  constructor({ code, fields }: ServiceError, link: PayLink, target: PayTarget) {
    super(code, { fields })
    this.mode = link.mode
    this.merchant = target
    this.returnFacts = toGiveUpFacts(link, target.attempts[0] ?? null)
  }
}

export async function requirePayTarget(
  deps: CheckoutDeps,
  link: PayLink,
  attemptIds: readonly string[],
  checkoutId: string | null,
): Promise<PayTarget> {
  const hash = deps.erasedOrders.toHash(link.projectId, link.customId)
  const target = await findPayTarget(deps.db, link, attemptIds, hash, checkoutId)
  // After a restore, the project may be one of the lost rows.
  if (!target) throw deps.restoreGate.isClosed() ? new GateClosedError() : new ServiceError('not_found')
  return target
}

/** For a link with invalid values: a refusal that names the merchant, or the error itself if the merchant is unknown. */
export async function toLinkRefusal(
  deps: CheckoutDeps,
  query: Query,
  error: ServiceError,
): Promise<ServiceError> {
  const [id, ...others] = query.all('project')
  const project = projectId.safeParse(id)
  if (!project.success || others.length > 0) return error
  const mode = query.all('mode')[0] === 'test' ? 'test' : 'live'
  const emptyFields = { amount: '0', data: '', customId: null, exp: null, sig: null }
  const link: PayLink = { projectId: project.data, mode, ...emptyFields }
  try {
    return new LinkRefusal(error, link, await requirePayTarget(deps, link, [], null))
  } catch (lookupError) {
    if (!(lookupError instanceof ServiceError)) throw lookupError
    return error // The project does not exist or cannot be read now. In both cases the link is not valid.
  }
}

function requirePayable(deps: CheckoutDeps, link: PayLink, target: PayTarget): void {
  requireNotExpired(link, toUnixSeconds(deps.clock.nowMs()))
  if (target.isArchived) throw new ServiceError('archived')
  if (link.mode === 'live' && deps.config.requireKyc && !target.isOwnerVerified)
    throw new ServiceError('kyc_required')
  // The callback would stay in the project's inbox, so the merchant's server would not learn of the payment.
  if (link.mode === 'live' && deps.config.production && hasInbox(deps.config.baseUrl, toProject(target)))
    throw new ServiceError('shop_not_ready')
  if (deps.restoreGate.isClosed()) throw new GateClosedError()
}

const toProject = ({ projectId, apiUrl }: PayTarget) => ({ id: projectId, apiUrl })

export function toAmountAndData(link: PayLink): Pick<Order, 'amount' | 'data'> {
  return { amount: BigInt(link.amount), data: link.data === '' ? null : link.data }
}

/** False if the payment has another amount or other data than the link. A press of Pay is then refused as a conflict. */
export function isPaymentOfLink(link: PayLink, holder: Holder): boolean {
  return isSameOrder({ ...holder, amount: BigInt(holder.amount) }, toAmountAndData(link))
}

export function checkLink(deps: CheckoutDeps, link: PayLink, target: PayTarget): CheckedLink {
  try {
    const secret = openCachedSecret(deps, target.projectId, link.mode, target.secret)
    const isSigned = requireSignature(link, target.requireSignedLinks, secret)
    const isShownAsPaid = isSigned && target.holder?.isPaid === true && isPaymentOfLink(link, target.holder)
    // A payer who has paid must be shown "paid", not "expired".
    if (!isShownAsPaid) requirePayable(deps, link, target)
    return { link, target, isSigned, isShownAsPaid }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // After a restore, the data may be out of date. The link may be valid, and a payer who pressed Pay may have been charged.
    throw deps.restoreGate.isClosed() ? new GateClosedError() : new LinkRefusal(error, link, target)
  }
}
