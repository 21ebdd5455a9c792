// Rate limits by name. Each replica counts on its own, in bounded memory. A route chooses the key that is counted: an
// address, an account or a link.
import rateLimit from '@fastify/rate-limit'
import { RATE_LIMITS, RATE_WINDOW_SEC } from '@pazar/contract'
import type { RateLimitName } from '@pazar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import { addressOf } from './client-address.ts'

/** How many callers are counted per limit. If there are more, the oldest are forgotten. */
const CALLERS_MAX = 20_000

export type Limiter = (req: FastifyRequest, reply: FastifyReply) => Promise<void>
export type Limits = (name: RateLimitName, keyOf?: (req: FastifyRequest) => string) => Limiter

/** An IPv6 household or server has a whole /64 network, so all addresses of such a network have one key. */
export function toAddressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail = ''] = ip.split('%')[0]!.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length
  const full = ip.includes('::') ? [...groups, ...Array<string>(Math.max(missing, 0)).fill('0')] : groups
  return `${full.slice(0, 4).join(':')}::/64`
}

export async function registerRateLimits(
  app: FastifyInstance,
  max: Readonly<Record<RateLimitName, number>> | null,
): Promise<Limits> {
  if (max === null) return () => async () => undefined
  await app.register(rateLimit, { global: false })
  return (name, keyOf = (req) => toAddressKey(addressOf(req))) => {
    // `cache` is the size of the store. The plugin accepts it here, although its types do not have it.
    const timeWindow = RATE_WINDOW_SEC[RATE_LIMITS[name].per] * 1000
    const options = { max: max[name], timeWindow, cache: CALLERS_MAX, keyGenerator: keyOf }
    const count = app.createRateLimit(options)
    return async (req, reply) => {
      const usage = await count(req)
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
