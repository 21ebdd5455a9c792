// From a link to something payable: the project behind it, its signature, its date, and whether the shop may be paid.
// Asked when the page is shown and again when it is confirmed, since a shop can change its mind in between.
import type { PayLink } from '../paylinks/pay-link.ts'
import { requireNotExpired, requireSignature } from '../paylinks/pay-link.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { openSecret } from '../secrets/secrets.ts'
import type { PayTarget } from './pay-target-store.ts'
import { findPayTarget } from './pay-target-store.ts'

export interface OpenLink {
  link: PayLink
  shop: PayTarget
  /** Only then are `data` and the state of the order shown: otherwise anybody could have written the link. */
  isSigned: boolean
}

export async function openLink(deps: PaymentDeps, link: PayLink): Promise<OpenLink> {
  const shop = await findPayTarget(deps.db, link.projectId, link.mode, link.customId)
  if (!shop) throw new ServiceError('not_found')
  const secret = openSecret(deps, shop.projectId, link.mode, shop.secret)
  const isSigned = requireSignature(link, shop.requireSignedLinks, secret)
  requireNotExpired(link, toUnixSeconds(deps.clock.nowMs()))
  if (shop.isArchived) throw new ServiceError('archived')
  if (link.mode === 'live' && deps.config.requireKyc && !shop.isOwnerVerified)
    throw new ServiceError('kyc_required')
  return { link, shop, isSigned }
}
