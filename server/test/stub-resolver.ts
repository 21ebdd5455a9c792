// A DNS resolver that looks names up in a table. Names that are not in the table do not exist.
import { isIPv4 } from 'node:net'
import type { Resolver } from '../src/lib/resolver.ts'

export class DnsFailure extends Error {
  readonly code: string

  constructor(code: string) {
    super(`query ${code}`)
    this.code = code
  }
}

export interface StubResolver extends Resolver {
  lookedUp: string[]
}

export function createStubResolver(names: Readonly<Record<string, readonly string[]>>): StubResolver {
  const lookedUp: string[] = []
  const resolve = async (host: string, isWanted: (address: string) => boolean) => {
    lookedUp.push(host)
    const all = names[host]
    if (all === undefined) throw new DnsFailure('ENOTFOUND')
    const found = all.filter(isWanted)
    if (found.length === 0) throw new DnsFailure('ENODATA')
    return found
  }
  return {
    lookedUp,
    resolve4: (host) => resolve(host, isIPv4),
    resolve6: (host) => resolve(host, (address) => !isIPv4(address)),
  }
}
