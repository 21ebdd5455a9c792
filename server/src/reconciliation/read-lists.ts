// Reads a whole list of an upstream for an operator: page by page, within the quota for lookups.
import { setTimeout as sleep } from 'node:timers/promises'
import { BOOKS_CHECK_ITEMS_MAX } from '@pazar/contract'
import type { Backend } from '../backends/backend.ts'
import type { Pager } from '../backends/pager.ts'
import { callBackend } from '../payments/call-upstream.ts'
import { claimLookups } from '../payments/claim-lookups.ts'
import type { PaymentDeps } from '../payments/deps.ts'

const QUOTA_POLL_MS = 200
const QUOTA_WAIT_MAX_MS = 60_000

/** After this many empty pages in a row, a list counts as endless. */
const EMPTY_PAGES_MAX = 100

/** A list of an upstream could not be read completely, so it cannot be checked. The message says why. */
export class UncheckableError extends Error {
  override readonly name = 'UncheckableError'
}

export async function waitForQuota(deps: PaymentDeps, backend: Backend): Promise<void> {
  for (let waitedMs = 0; waitedMs < QUOTA_WAIT_MAX_MS; waitedMs += QUOTA_POLL_MS) {
    if ((await claimLookups(deps, backend.name, 1)) > 0) return
    await sleep(QUOTA_POLL_MS)
  }
  throw new UncheckableError(
    `The quota for lookups at ${backend.name} is used up by the service; try again later.`,
  )
}

export interface Window {
  since: Date
  until: Date
}

export async function readList<Item>(
  deps: PaymentDeps,
  backend: Backend,
  list: Pager<Item>,
  window: Window,
  itemsMax: number = BOOKS_CHECK_ITEMS_MAX,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  const cursors = new Set<string>()
  for (let emptyPages = 0; emptyPages < EMPTY_PAGES_MAX;) {
    await waitForQuota(deps, backend)
    const page = await callBackend(deps, backend, 'lookup', () => list({ ...window, cursor }))
    items.push(...page.items)
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0
    if (items.length > itemsMax)
      throw new UncheckableError(
        `${backend.name} lists more than ${itemsMax} entries for this period; choose a shorter one.`,
      )
    if (page.next === null) return items
    // If the upstream returns a cursor for the second time, the same pages would be read forever.
    if (cursors.has(page.next)) break
    cursors.add(page.next)
    cursor = page.next
  }
  throw new UncheckableError(`The list of ${backend.name} does not end.`)
}
