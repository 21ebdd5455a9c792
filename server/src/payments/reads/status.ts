// Tells a merchant whether an order is paid. The request of a public status check contains a hash: the mode of the secret
// that made the hash decides whether live or test payments are checked. The SDK defines what the hash must contain
// (status-hash.ts).
import type { Mode, StatusCheckBody } from '@pazar/contract'
import { verifyStatusHash } from '@pazar/sdk'
import type { AccountId } from '../../accounts/account.ts'
import { toUnixSeconds } from '../../lib/clock.ts'
import { requireProject } from '../../projects/access.ts'
import { DECOY_PROJECT_ID } from '../../secrets/decoy.ts'
import type { SealedPair } from '../../secrets/decoy.ts'
import { recordProved } from '../../secrets/secrets-store.ts'
import { openSecret } from '../../secrets/secrets.ts'
import type { PaymentDeps } from '../deps.ts'
import type { PaymentState } from '../payment.ts'
import { isPaid } from '../payment.ts'
import type { StatusFacts } from './status-store.ts'
import { findOrderState, findStatusFacts } from './status-store.ts'

/** Null: the hash is not valid for any secret of the project. */
function findVerifiedMode(
  deps: PaymentDeps,
  projectId: string,
  secrets: SealedPair,
  body: StatusCheckBody,
): Mode | null {
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  for (const mode of ['live', 'test'] as const) {
    const secret = openSecret(deps, projectId, mode, secrets[mode])
    if (verifyStatusHash(body.hash, body, secret, nowSec)) return mode
  }
  return null
}

function isPaidAmount(paid: StatusFacts['paid'][Mode], amount: string | undefined): boolean {
  return paid !== null && (amount === undefined || amount === paid.toString())
}

/** Null: the hash is refused. */
export async function checkStatus(
  deps: PaymentDeps,
  decoy: SealedPair,
  body: StatusCheckBody,
): Promise<{ successful: boolean } | null> {
  const { toHash } = deps.erasedOrders
  const facts = await findStatusFacts(
    deps.db,
    body.projectId,
    body.customId,
    toHash(body.projectId, body.customId),
  )
  if (!facts) {
    // The check of the decoy makes the response take as long as for a known project, so that the response time
    // does not reveal which projects exist.
    findVerifiedMode(deps, DECOY_PROJECT_ID, decoy, body)
    return null
  }
  const mode = findVerifiedMode(deps, body.projectId, facts.secrets, body)
  if (!mode) return null
  if (!facts.proved[mode]) await recordFirstProof(deps, body.projectId, mode)
  return { successful: isPaidAmount(facts.paid[mode], body.amount) }
}

async function recordFirstProof(deps: PaymentDeps, projectId: string, mode: Mode): Promise<void> {
  try {
    await recordProved(deps.db, projectId, mode)
  } catch (error) {
    // The response must not fail because of this error. The next check with a correct hash tries again.
    deps.log.warn(
      { err: error, projectId },
      'the first correct status hash of a project could not be recorded',
    )
  }
}

export interface OrderStatus {
  found: boolean
  transactionId: string | null
  state: PaymentState | null
  successful: boolean
  needsReview: boolean
}

export async function checkOwnOrder(
  deps: PaymentDeps,
  accountId: AccountId,
  check: { projectId: string; customId: string; mode: Mode },
): Promise<OrderStatus> {
  const { id } = await requireProject(deps.db, accountId, check.projectId, 'read')
  const hash = deps.erasedOrders.toHash(id, check.customId)
  const order = await findOrderState(deps.db, id, check.mode, check.customId, hash)
  return {
    found: order !== null,
    transactionId: order?.id ?? null,
    state: order?.state ?? null,
    successful: order !== null && isPaid(order),
    needsReview: order?.needsReview ?? false,
  }
}
