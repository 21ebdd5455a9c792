// Finds a payment or refund of ours that the upstream has and the database lacks. Our row is committed before the
// upstream is called, so a missing row means that the database was restored or has lost writes.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Backend } from '../backends/backend.ts'
import type { Pager } from '../backends/pager.ts'
import { callBackend } from '../payments/call-upstream.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { findRefundsById } from '../refunds/period-store.ts'
import { UncheckableError } from './read-lists.ts'

/**
 * A list with more pages counts as endless. If a page has ten entries, 1,000 pages are enough for ten minutes with 16
 * payments a second.
 */
const PAGES_MAX = 1_000

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
    // Other installations may use the same account at the upstream.
    const ids = page.items.flatMap(({ id, origin }) =>
      id !== null && origin?.installationId === deps.installation.id && TRANSACTION_ID_PATTERN.test(id)
        ? [id]
        : [],
    )
    const knownIds = new Set((await findKnown(ids)).map(({ id }) => id))
    const missing = ids.find((id) => !knownIds.has(id))
    if (missing !== undefined) return missing
    cursor = page.next
    if (cursor === null) return null
  }
  await raiseUnchecked(deps, backend.name, since)
  throw new UncheckableError(`The list of ${backend.name} has more than ${PAGES_MAX} pages.`)
}

/** Raises an incident, because a missing entry may be on the pages that were not read. */
async function raiseUnchecked(deps: PaymentDeps, upstream: string, since: Date): Promise<void> {
  const facts = { upstream, since: since.toISOString() }
  await raiseIncident(deps, {
    kind: 'restore_unchecked',
    transactionId: null,
    subject: `${upstream} ${facts.since}`,
    facts,
  })
}

/**
 * Null: nothing is missing. `unstated`: an upstream did not state whether it has lists, so something may be missing there.
 * The sandbox and upstreams without lists are not checked, nor are the refunds of an upstream that offers no refunds.
 * Throws `UncheckableError` if a list does not end.
 */
export async function findLost(deps: PaymentDeps, since: Date): Promise<Lost | 'unstated' | null> {
  const { live, previous } = deps.backends
  let isUnstated = false
  for (const backend of [live, ...previous]) {
    // Only the sandbox has no quota. Its ledger is in the same database, so a restore includes that ledger.
    if (!backend.quota) continue
    const isOffered = await backend.lists?.isOffered()
    if (isOffered === null) isUnstated = true
    if (!isOffered) continue
    const { payments, refunds } = backend.lists!
    const upstream = backend.name
    const payment = await findMissing(deps, backend, payments, (ids) => findPaymentsById(deps.db, ids), since)
    if (payment !== null) return { upstream, object: 'payment', id: payment }
    if (!(await backend.refunds?.isOffered())) continue
    const refund = await findMissing(deps, backend, refunds, (ids) => findRefundsById(deps.db, ids), since)
    if (refund !== null) return { upstream, object: 'refund', id: refund }
  }
  return isUnstated ? 'unstated' : null
}
