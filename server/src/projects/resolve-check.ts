// The early, friendly half of the DNS guard: when a project is saved, a name that already points into a private
// network is refused on the spot. It is best effort (offline, a new name, a slow server: accepted), because the
// connector judges again at every delivery and there fails closed.
import { isIP } from 'node:net'
import { isPublicAddress } from '../lib/public-address.ts'
import type { Resolver } from '../lib/resolver.ts'

export async function resolvesToPrivate(
  host: string,
  resolver: Resolver,
  timeoutMs: number,
): Promise<boolean> {
  if (isIP(host) !== 0) return !isPublicAddress(host)
  const pointsInside = [resolver.resolve4(host), resolver.resolve6(host)].map((answer) =>
    // A failure says nothing about where the name points; what is lost is only the early refusal.
    answer.then(
      (addresses) => addresses.some((address) => !isPublicAddress(address)),
      () => false,
    ),
  )
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false)
    const settle = (verdict: boolean) => {
      clearTimeout(timer)
      resolve(verdict)
    }
    // One inner address is enough, even while the other question hangs.
    for (const answer of pointsInside) void answer.then((inside) => inside && settle(true))
    void Promise.all(pointsInside).then((all) => settle(all.includes(true)))
  })
}
