// An early DNS check when a project is saved. A name that does not resolve in time is accepted, because every delivery
// checks again.
import { isIP } from 'node:net'
import { isPublicAddress } from '../lib/public-address.ts'
import type { Resolver } from '../lib/resolver.ts'

export async function resolvesToPrivate(
  host: string,
  resolver: Resolver,
  timeoutMs: number,
): Promise<boolean> {
  if (isIP(host) !== 0) return !isPublicAddress(host)
  const arePrivate = [resolver.resolve4(host), resolver.resolve6(host)].map((lookup) =>
    // A failed lookup says nothing about the address.
    lookup.then(
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
    for (const lookup of arePrivate) void lookup.then((isPrivate) => isPrivate && settle(true))
    void Promise.all(arePrivate).then((all) => settle(all.includes(true)))
  })
}
