import { RATE_LIMITS } from '@pazar/contract'
import type { RateLimitName } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export interface RateLimitSettings {
  /** How many requests each limit allows per window. Null: these limits are off. */
  rateLimits: Readonly<Record<RateLimitName, number>> | null
}

/** RATE_LIMIT_<NAME> overrides the limit of that name in the contract. */
export function readRateLimits(read: EnvReader): RateLimitSettings {
  for (const name of read.names('RATE_LIMIT_')) {
    if (!Object.hasOwn(RATE_LIMITS, name.slice('RATE_LIMIT_'.length)))
      read.addProblem(`${name} is not the name of a limit.`)
  }
  if (read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'off') return { rateLimits: null }
  const names = Object.keys(RATE_LIMITS) as RateLimitName[]
  const limits = names.map((name) => [
    name,
    read.integer(`RATE_LIMIT_${name}`, RATE_LIMITS[name].max, 1, 1_000_000),
  ])
  return { rateLimits: Object.fromEntries(limits) as Record<RateLimitName, number> }
}
