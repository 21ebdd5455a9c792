// An upstream may state its currency and scale (GET /info). If they differ from ours, amounts would be charged a
// hundredfold, so no payment is opened with it.
import { parseStrictJson, StrictJsonError } from '@pazar/sdk'
import { z } from 'zod'
import type { Money } from '../db/installation-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'

/** How long an unknown or wrong result is used before the upstream is asked again. */
const ASK_AGAIN_MS = 60_000

const info = z.looseObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  scale: z.int().min(0).max(4),
  methods: z.array(z.string()).optional(),
  refunds: z.boolean().optional(),
  disputes: z.boolean().optional(),
  lists: z.boolean().optional(),
})
export type UpstreamInfo = z.output<typeof info>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Null when the bytes are no such answer. */
export function parseInfo(bytes: Uint8Array): UpstreamInfo | null {
  try {
    return info.safeParse(parseStrictJson(utf8.decode(bytes), { maxDepth: 4 })).data ?? null
  } catch (error) {
    if (error instanceof StrictJsonError || error instanceof TypeError) return null
    throw error
  }
}

export interface TermsCheck {
  /** A sentence if currency or scale differ. Null if they agree, are not stated, or cannot be asked now. */
  findProblem(): Promise<string | null>
  /** The same before a payment: waits only until the first result. */
  findProblemBeforePayment(): Promise<string | null>
}

/** `ask` answers null for an upstream without /info, and throws when it gives no usable answer. */
export function createTermsCheck(options: {
  ask: () => Promise<UpstreamInfo | null>
  money: Money
  clock: Clock
  log: Logger
}): TermsCheck {
  const { money, clock, log } = options
  let settled: { problem: string | null } | null = null
  let askedMs = -Infinity
  let asking: Promise<string | null> | null = null

  function toProblem(told: UpstreamInfo | null): string | null {
    if (!told || (told.currency === money.currency && told.scale === money.scale)) return null
    return (
      `The upstream of BACKEND_URL counts in ${told.currency} with ${told.scale} decimals, ` +
      `and CURRENCY and AMOUNT_SCALE are ${money.currency} and ${money.scale}.`
    )
  }

  const knownProblem = () => settled?.problem ?? null

  async function findProblem(): Promise<string | null> {
    // A mismatch is asked about again, so that an upstream that was set right is used without a restart.
    const isDue = clock.nowMs() - askedMs >= ASK_AGAIN_MS
    if ((settled && settled.problem === null) || !isDue) return knownProblem()
    return ask()
  }

  /** Callers at the same time share one request. */
  function ask(): Promise<string | null> {
    asking ??= askOnce().finally(() => {
      asking = null
    })
    return asking
  }

  async function askOnce(): Promise<string | null> {
    askedMs = clock.nowMs()
    try {
      settled = { problem: toProblem(await options.ask()) }
      if (settled.problem) log.error({ problem: settled.problem }, 'no payment is opened with the upstream')
    } catch (error) {
      log.warn({ err: error }, 'the upstream did not say in what it counts money; it is asked again')
    }
    return knownProblem()
  }

  return {
    findProblem,
    async findProblemBeforePayment() {
      // Until the first result each payment asks, because it could be charged in another currency.
      if (settled === null) return ask()
      void findProblem()
      return knownProblem()
    },
  }
}
