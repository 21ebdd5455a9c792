// DNS lookups. `createResolver` asks name servers and never reads the hosts file, so that a local entry cannot map a
// merchant's name to an internal address. Tests replace the resolver.
import { Resolver as DnsResolver, lookup } from 'node:dns/promises'

export interface Lookups {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
}

export interface Resolver extends Lookups {
  /** Lookups that keep using the present name servers, even if the machine gets other name servers. */
  current?(): Lookups
}

/** Short: if a name server does not respond, there is still time for the next name server. */
const DNS_TRY_TIMEOUT_MS = 2000
const DNS_TRIES = 2
/** Reading the machine's list of name servers blocks the process, so the list is not read for each failed lookup. */
const REOPEN_INTERVAL_MS = 5000

function openDns(): DnsResolver {
  return new DnsResolver({ timeout: DNS_TRY_TIMEOUT_MS, tries: DNS_TRIES })
}

/** Each server is `address:port`. Without `servers`, the name servers of the machine are used. */
export function createResolver(servers?: readonly string[]): Resolver {
  if (servers === undefined) return createMachineResolver()
  const dns = openDns()
  dns.setServers(servers)
  return { resolve4: (host) => dns.resolve4(host), resolve6: (host) => dns.resolve6(host) }
}

/**
 * A `DnsResolver` reads the machine's list of name servers only once. The list may change later, so after a failed lookup
 * the next lookup opens a new `DnsResolver`. SERVFAIL and REFUSED count as failures too: a former name server may respond
 * with them.
 */
export function createMachineResolver(
  open: () => Lookups = openDns,
  nowMs = () => performance.now(),
): Required<Resolver> {
  let latest = watchFailures(open(), nowMs())
  const current = (): Lookups => {
    if (latest.hasFailed && nowMs() - latest.openedMs >= REOPEN_INTERVAL_MS)
      latest = watchFailures(open(), nowMs())
    return latest
  }
  return {
    current,
    resolve4: (host) => current().resolve4(host),
    resolve6: (host) => current().resolve6(host),
  }
}

function watchFailures(dns: Lookups, openedMs: number): Lookups & { openedMs: number; hasFailed: boolean } {
  const watch = async (lookup: Promise<string[]>): Promise<string[]> => {
    try {
      return await lookup
    } catch (error) {
      if (!isRecordMissing(error)) watched.hasFailed = true
      throw error
    }
  }
  const watched = {
    openedMs,
    hasFailed: false,
    resolve4: (host: string) => watch(dns.resolve4(host)),
    resolve6: (host: string) => watch(dns.resolve6(host)),
  }
  return watched
}

/** True if the name servers responded that there is no such record; false if the lookup failed. */
export function isRecordMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENODATA' || code === 'ENOTFOUND'
}

/** True if no name server could be reached. A name server that responds with an error gives another code. */
export function isNoServerReachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}

/** True if no name server responded in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT'
}

/** True if a name server responded with SERVFAIL: it does not work, or it needs another server that does not work. */
export function isServerFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESERVFAIL'
}

/** Reads the hosts file, so merchants' names may be looked up here only if they are allowed development hosts. */
export async function lookupOnMachine(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' })
  return found.map((entry) => entry.address)
}
