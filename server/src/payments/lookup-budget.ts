// One token bucket per upstream for everything that is asked without a payer's request behind it. Payers' own requests
// (opening a payment, the page that waits, the return from the bank) never wait for it.
import type { LookupQuota } from '../backends/backend.ts'

export interface LookupBudget {
  /** Lookups of any kind. */
  tokens: number
  /** Of these, lookups of payments that wait for a payer, a bank or a person. */
  waitingTokens: number
}

function fill(tokens: number, perSec: number, burst: number, elapsedMs: number): number {
  return Math.min(burst, tokens + (Math.max(elapsedMs, 0) / 1000) * perSec)
}

export function refill(budget: LookupBudget, quota: LookupQuota, elapsedMs: number): LookupBudget {
  return {
    tokens: fill(budget.tokens, quota.perSec, quota.burst, elapsedMs),
    waitingTokens: fill(budget.waitingTokens, quota.waitingPerSec, quota.waitingBurst, elapsedMs),
  }
}

/** How many of the waiting ones may be looked up besides those that are urgent. */
export function toWaitingMax(budget: LookupBudget, urgent: number): number {
  return Math.max(0, Math.floor(Math.min(budget.waitingTokens, budget.tokens - urgent)))
}

export function spend(budget: LookupBudget, urgent: number, waiting: number): LookupBudget {
  return { tokens: budget.tokens - urgent - waiting, waitingTokens: budget.waitingTokens - waiting }
}
