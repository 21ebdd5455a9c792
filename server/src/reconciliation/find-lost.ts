// Whether the upstream has payments or refunds of ours that we have not: then the database was restored from a backup, or
// has lost writes. Our row is always committed before the upstream is called.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Backend } from '../backends/backend.ts'
import type { Pager } from '../backends/pager.ts'
import { callBackend } from '../payments/call-upstream.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { findRefundsById } from '../refunds/period-store.ts'

/** At most these pages of each list are read. A busy installation has a few in the time that is compared. */
const PAGES_MAX = 50

export interface Lost {
  upstream: string
  object: 'payment' | 'refund'
  id: string
}

interface OwnItem {
  id: string | null
  origin?: { installationId: string } | null
}

async function findMissing(
  deps: PaymentDeps,
  backend: Backend,
  list: Pager<OwnItem>,
  findKnown: (ids: string[]) => Promise<{ id: string }[]>,
  since: Date,
): Promise<string | null> {
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await callBackend(deps, backend, 'lookup', () => list({ since, cursor }))
    // Only what certainly is ours: the account at the upstream may also be used by others.
    const ids = page.items.flatMap(({ id, origin }) =>
      id !== null && origin?.installationId === deps.installation.id && TRANSACTION_ID_PATTERN.test(id)
        ? [id]
        : [],
    )
    const known = new Set((await findKnown(ids)).map(({ id }) => id))
    const missing = ids.find((id) => !known.has(id))
    if (missing !== undefined) return missing
    cursor = page.next
    if (cursor === null) return null
  }
  deps.log.warn({ upstream: backend.name }, 'the upstream lists more than can be compared at the start')
  return null
}

/** Null: nothing is missing, as far as the upstreams list what they have. */
export async function findLost(deps: PaymentDeps, since: Date | null): Promise<Lost | null> {
  // A new installation has its own id, so the upstream has nothing of it.
  if (since === null) return null
  const { live, previous } = deps.backends
  for (const backend of [live, ...previous]) {
    // The ledger of the sandbox is in the same database.
    if (!backend.quota || !(await backend.lists?.isOffered())) continue
    const { payments, refunds } = backend.lists!
    const upstream = backend.name
    const payment = await findMissing(deps, backend, payments, (ids) => findPaymentsById(deps.db, ids), since)
    if (payment !== null) return { upstream, object: 'payment', id: payment }
    if (!(await backend.refunds?.isOffered())) continue
    const refund = await findMissing(deps, backend, refunds, (ids) => findRefundsById(deps.db, ids), since)
    if (refund !== null) return { upstream, object: 'refund', id: refund }
  }
  return null
}
