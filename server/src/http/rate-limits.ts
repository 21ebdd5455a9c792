// Each replica counts on its own, in bounded memory. By default, the requests of one network are counted together. Some
// routes count by account or by project instead. Others count by network and link, or by network and payment.
import rateLimit from '@fastify/rate-limit'
import { RATE_LIMITS, RATE_WINDOW_SEC } from '@pazar/contract'
import type { RateLimitName } from '@pazar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import { addressOf, toAddressKey } from './client-address.ts'

/** Each limited route counts at most this many callers. A further caller replaces the one that was idle longest. */
const CALLERS_MAX = 20_000

type CountRequest = (req: FastifyRequest, reply: FastifyReply) => Promise<void>
export type Limits = (name: RateLimitName, keyOf?: (req: FastifyRequest) => string) => CountRequest

export async function registerRateLimits(
  app: FastifyInstance,
  max: Readonly<Record<RateLimitName, number>> | null,
): Promise<Limits> {
  if (max === null) return () => async () => undefined
  await app.register(rateLimit, { global: false })
  return (name, keyOf = (req) => toAddressKey(addressOf(req))) => {
    // `cache` is the size of the store. The plugin accepts this option here, although its types do not have the option.
    const timeWindow = RATE_WINDOW_SEC[RATE_LIMITS[name].per] * 1000
    const options = { max: max[name], timeWindow, cache: CALLERS_MAX, keyGenerator: keyOf }
    const count = app.createRateLimit(options)
    return async (req, reply) => {
      const usage = await count(req)
      // `isAllowed` is true only for callers on the plugin's allow list, which we do not use.
      if (usage.isAllowed) return
      reply.headers({
        'ratelimit-limit': usage.max,
        'ratelimit-remaining': usage.remaining,
        'ratelimit-reset': usage.ttlInSeconds,
      })
      if (usage.isExceeded)
        throw new ServiceError('rate_limited', { retryAfterSec: Math.max(1, usage.ttlInSeconds) })
    }
  }
}
