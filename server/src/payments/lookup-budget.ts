// Two token buckets per upstream: one for all lookups, and one for lookups that can wait. Requests of payers are not limited.
import type { LookupQuota } from '../backends/lookup-quota.ts'

export interface LookupBudget {
  tokens: number
  /** How many of `tokens` may be used for lookups that can wait, such as lookups of refunds or for an operator. */
  waitingTokens: number
}

function refillTokens(tokens: number, perSec: number, burst: number, elapsedMs: number): number {
  return Math.min(burst, tokens + (Math.max(elapsedMs, 0) / 1000) * perSec)
}

export function refill(budget: LookupBudget, quota: LookupQuota, elapsedMs: number): LookupBudget {
  return {
    tokens: refillTokens(budget.tokens, quota.perSec, quota.burst, elapsedMs),
    waitingTokens: refillTokens(budget.waitingTokens, quota.waitingPerSec, quota.waitingBurst, elapsedMs),
  }
}

/** How many lookups that can wait are allowed, in addition to `urgent` lookups that cannot wait. */
export function toWaitingMax(budget: LookupBudget, urgent: number): number {
  return Math.max(0, Math.floor(Math.min(budget.waitingTokens, budget.tokens - urgent)))
}

export function spend(budget: LookupBudget, urgent: number, waiting: number): LookupBudget {
  return { tokens: budget.tokens - urgent - waiting, waitingTokens: budget.waitingTokens - waiting }
}
