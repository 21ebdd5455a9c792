// An upstream may state its currency and scale (GET /info). If its scale differs from ours, payers could be charged a hundred
// times the amount. Therefore no payment is opened if the currency or the scale differs from ours. payments/reactions.ts
// handles reports whose amount or currency differs from the payment's.
import { z } from 'zod'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { parseJson } from './http-wire.ts'

/** After the first result, /info is requested at most once in this time. */
const FETCH_AGAIN_MS = 60_000

const info = z.looseObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  scale: z.int().min(0).max(4),
  methods: z.array(z.string()).optional(),
  refunds: z.boolean().optional(),
  disputes: z.boolean().optional(),
  lists: z.boolean().optional(),
})
export type UpstreamInfo = z.output<typeof info>

export function parseInfo(bytes: Uint8Array): UpstreamInfo | null {
  return info.safeParse(parseJson(bytes)).data ?? null
}

export interface TermsCheck {
  /** A sentence if currency or scale differ. Null: they match or are unknown. */
  findProblem(): Promise<string | null>
  /** Waits for /info only until there is a first result. Later calls return the last known result immediately. */
  findProblemBeforePayment(): Promise<string | null>
  listMethods(): readonly string[]
}

/**
 * `fetchInfo` returns null if the upstream responds 404 and has not sent its info before. `fetchInfo` throws if the upstream
 * gives no usable response.
 */
export function createTermsCheck(options: {
  fetchInfo: () => Promise<UpstreamInfo | null>
  money: CurrencyAndScale
  clock: Clock
  log: Logger
}): TermsCheck {
  const { money, clock, log } = options
  let lastResult: { problem: string | null } | null = null
  let methods: readonly string[] = []
  let fetchedMs = -Infinity
  let pending: Promise<string | null> | null = null

  function toProblem(info: UpstreamInfo | null): string | null {
    if (!info || (info.currency === money.currency && info.scale === money.scale)) return null
    return (
      `The upstream of BACKEND_URL uses ${info.currency} with ${info.scale} decimals, ` +
      `but CURRENCY and AMOUNT_SCALE are ${money.currency} and ${money.scale}.`
    )
  }

  const readLastProblem = () => lastResult?.problem ?? null

  async function findProblem(): Promise<string | null> {
    // /info is requested again even after a match or a 404: the upstream may change, and a 404 may come from a proxy.
    const isDue = clock.nowMs() - fetchedMs >= FETCH_AGAIN_MS
    if (!isDue) return readLastProblem()
    return fetchShared()
  }

  function fetchShared(): Promise<string | null> {
    pending ??= fetchOnce().finally(() => {
      pending = null
    })
    return pending
  }

  async function fetchOnce(): Promise<string | null> {
    fetchedMs = clock.nowMs()
    try {
      const found = await options.fetchInfo()
      methods = found?.methods ?? []
      lastResult = { problem: toProblem(found) }
      if (lastResult.problem)
        log.error({ problem: lastResult.problem }, 'no payment is opened with the upstream')
    } catch (error) {
      log.warn({ err: error }, 'the upstream did not report its currency and scale; /info is requested again')
    }
    return readLastProblem()
  }

  return {
    findProblem,
    listMethods: () => methods,
    async findProblemBeforePayment() {
      // Until the first result, each payment waits for /info, because the upstream could use another currency.
      if (lastResult === null) return fetchShared()
      void findProblem()
      return readLastProblem()
    },
  }
}
