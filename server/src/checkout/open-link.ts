// From a link to something payable: the project behind it, its signature, its date, and whether the shop may be paid.
// Asked when the page is shown and again when it is confirmed, since a shop can change its mind in between.
import type { Mode } from '@pazar/contract'
import { toUnixSeconds } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { requireNotExpired, requireSignature } from '../paylinks/pay-link.ts'
import type { Payment } from '../payments/payment.ts'
import { isUnpaid } from '../payments/payment.ts'
import { recallSecret } from '../secrets/secrets.ts'
import type { CheckoutDeps } from './deps.ts'
import type { PayTarget } from './pay-target-store.ts'
import { findPayTarget } from './pay-target-store.ts'
import { toReturnUrl } from './return-url.ts'

export interface OpenLink {
  link: PayLink
  shop: PayTarget
  /** Only then are `data` and the state of the order shown: otherwise anybody could have written the link. */
  isSigned: boolean
  /** The order is paid and the asker may know it. That stays true when the link can no longer be paid. */
  isPaid: boolean
}

/** How this browser's last try ended. */
export type LastTry = Pick<Payment, 'id' | 'state' | 'needsReview' | 'resolution'>

/** Back to the shop without a payment: with how the last try ended, or, before any, as given up. */
export function toGiveUpUrl(link: PayLink, shop: Pick<PayTarget, 'resultUrl'>, last: LastTry | null): string {
  const order = { customId: link.customId, mode: link.mode }
  if (last && isUnpaid(last))
    return toReturnUrl(shop.resultUrl, { status: 'fail', transactionId: last.id, ...order })
  return toReturnUrl(shop.resultUrl, { status: 'cancel', ...order })
}

/** A link that cannot be paid, of a shop that is known: its page can offer the way back. */
export class LinkRefusal extends ServiceError {
  readonly mode: Mode
  readonly returnUrl: string
  constructor({ code, fields }: ServiceError, link: PayLink, shop: PayTarget) {
    super(code, { fields })
    this.mode = link.mode
    this.returnUrl = toGiveUpUrl(link, shop, shop.attempts[0] ?? null)
  }
}

export async function requirePayTarget(
  deps: CheckoutDeps,
  link: PayLink,
  attemptIds: readonly string[],
  checkoutId: string | null,
): Promise<PayTarget> {
  const hash = deps.erasedOrders.toHash(link.projectId, link.customId)
  const shop = await findPayTarget(deps.db, link, attemptIds, hash, checkoutId)
  if (!shop) throw new ServiceError('not_found')
  return shop
}

function requirePayable(deps: CheckoutDeps, link: PayLink, shop: PayTarget): void {
  requireNotExpired(link, toUnixSeconds(deps.clock.nowMs()))
  if (shop.isArchived) throw new ServiceError('archived')
  if (link.mode === 'live' && deps.config.requireKyc && !shop.isOwnerVerified)
    throw new ServiceError('kyc_required')
}

export function openLink(deps: CheckoutDeps, link: PayLink, shop: PayTarget): OpenLink {
  try {
    const secret = recallSecret(deps, shop.projectId, link.mode, shop.secret)
    const isSigned = requireSignature(link, shop.requireSignedLinks, secret)
    const isPaid = isSigned && shop.holder?.isPaid === true
    // Whoever has paid must not read "expired" where "paid" is the truth.
    if (!isPaid) requirePayable(deps, link, shop)
    return { link, shop, isSigned, isPaid }
  } catch (error) {
    if (error instanceof ServiceError) throw new LinkRefusal(error, link, shop)
    throw error
  }
}
