// The address guard: opens every socket of a callback. Unless the host is exempt, its addresses are checked before a
// connection is made, and the peer's address is checked afterwards. A lookup hook would not be enough, because Node
// calls no lookup for a host that is already an address.
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { isPublicAddress } from '../lib/public-address.ts'
import { isNoServerReachable, isRecordMissing, isServerFailure, isTimeout } from '../lib/resolver.ts'
import type { Lookups, Resolver } from '../lib/resolver.ts'
import type { GoodUrl } from './url-rules.ts'
import { DeadlinePassed, startDeadline } from './deadline.ts'
import { toError, untilEvent } from './dial.ts'
import type { Dial } from './dial.ts'
import { BLOCKED_TEXT, FetchFailure, toCode } from './fetch-outcome.ts'

export type Target = Pick<GoodUrl, 'hostname' | 'port' | 'isHttps' | 'isExempt'>

export interface ConnectDeps {
  resolver: Resolver
  /** Resolves exempt development hosts, which may exist only in the hosts file. */
  lookupExempt: (host: string) => Promise<string[]>
  dial: Dial
  secureContext: SecureContext
  connectTimeoutMs: number
}

export interface VettedSocket {
  socket: Socket
  remoteIp: string
}

/** At most this many of the addresses are dialed. */
const ADDRESSES_MAX = 3

/** A working name server responds to a query for the root zone within this time. */
const ROOT_LOOKUP_MS = 2_000

/** The codes for an address that this machine cannot reach, usually because it has no IPv6. */
const NO_ROUTE_CODES: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
])

/** The codes for a machine that has no file descriptor or memory left for a socket. Nothing was sent to the merchant. */
const SHORTAGE_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** `attempt` is the signal of the whole POST. */
export async function connectVetted(
  deps: ConnectDeps,
  target: Target,
  attempt: AbortSignal,
): Promise<VettedSocket> {
  const { signal, clear } = startDeadline(deps.connectTimeoutMs, attempt)
  try {
    const addresses = await withPhase('dns', attempt, findVettedAddresses(deps, target, { signal, attempt }))
    const tcp = await withPhase('connect', attempt, dialFirst(deps, target, addresses, signal))
    if (!target.isHttps) return tcp
    const socket = await withPhase('tls', attempt, startTls(deps, target, tcp.socket, signal))
    return { socket, remoteIp: tcp.remoteIp }
  } finally {
    clear()
  }
}

/** Adds the name of the failed step to the error, unless the error has it already or the whole attempt has timed out. */
async function withPhase<T>(
  phase: 'dns' | 'connect' | 'tls',
  attempt: AbortSignal,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (error instanceof FetchFailure || attempt.aborted) throw error
    const detail =
      error instanceof DeadlinePassed ? error.message : phase === 'tls' ? toTlsText(error) : toCode(error)
    const isEgressFault = SHORTAGE_CODES.has(toCode(error))
    throw new FetchFailure(phase, `${PHASE_TEXT[phase]}: ${detail}`, { isEgressFault })
  }
}

const PHASE_TEXT = { dns: 'name lookup failed', connect: 'could not connect', tls: 'TLS failed' }

/** OpenSSL's error format: number, library, function, reason, and a location in its source. */
const OPENSSL_FAULT = /error:[0-9a-f]{8}:[^:]*:[^:]*:([^:]+):/i

/**
 * An OpenSSL error is shortened to its reason. Any other message is kept, because it may list the names on the
 * certificate, which the merchant needs to see.
 */
function toTlsText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return `${toCode(error)} ${OPENSSL_FAULT.exec(message)?.[1] ?? message}`
}

async function findVettedAddresses(
  deps: ConnectDeps,
  target: Target,
  { signal, attempt }: { signal: AbortSignal; attempt: AbortSignal },
): Promise<string[]> {
  const { hostname, isExempt } = target
  const lookUp = () =>
    isExempt
      ? untilAborted(deps.lookupExempt(hostname), signal)
      : resolveInTime(deps.resolver, hostname, { signal, attempt })
  const addresses = isIP(hostname) === 0 ? await lookUp() : [hostname]
  if (addresses.length === 0) throw new FetchFailure('dns', 'the name has no address')
  // All addresses are checked, because an attacker could mix a private address with public ones.
  if (!isExempt && !addresses.every(isPublicAddress)) throw new FetchFailure('blocked_address', BLOCKED_TEXT)
  return addresses
}

/**
 * A failed lookup is the merchant's fault only if a lookup of another name shows that the name servers work. Both lookups
 * use the same name servers, even if the machine has switched to new name servers in between: a response of the new ones
 * would say nothing about the failed lookup.
 */
async function resolveInTime(
  resolver: Resolver,
  hostname: string,
  { signal, attempt }: { signal: AbortSignal; attempt: AbortSignal },
): Promise<string[]> {
  const lookups = resolver.current?.() ?? resolver
  try {
    return await untilAborted(resolveBoth(lookups, hostname), signal)
  } catch (error) {
    const isUnclear = error instanceof DeadlinePassed || isTimeout(error) || isServerFailure(error)
    if (isUnclear && !attempt.aborted && !(await hasNameServer(lookups, attempt)))
      throw new FetchFailure('dns', 'no name server works', { isEgressFault: true })
    throw error
  }
}

async function hasNameServer(lookups: Lookups, attempt: AbortSignal): Promise<boolean> {
  const { signal, clear } = startDeadline(ROOT_LOOKUP_MS, attempt)
  try {
    await untilAborted(lookups.resolve4('.'), signal)
    return true
  } catch (error) {
    // A working name server responds that the root zone has no address, which is an error too. A name server that can reach
    // no other server responds with SERVFAIL.
    return !signal.aborted && !isTimeout(error) && !isNoServerReachable(error) && !isServerFailure(error)
  } finally {
    clear()
  }
}

/**
 * Fails if one of the two queries fails for another reason than a missing record, because the failed query might have
 * returned a private address.
 */
async function resolveBoth(lookups: Lookups, hostname: string): Promise<string[]> {
  const emptyIfNoRecord = (error: unknown): string[] => {
    if (isRecordMissing(error)) return []
    if (isNoServerReachable(error))
      throw new FetchFailure('dns', 'no name server can be reached', { isEgressFault: true })
    throw error
  }
  const [v4, v6] = await Promise.all([
    lookups.resolve4(hostname).catch(emptyIfNoRecord),
    lookups.resolve6(hostname).catch(emptyIfNoRecord),
  ])
  // IPv4 comes first, because more machines can reach it.
  return [...v4, ...v6]
}

/** True for a timeout, and for an address that this machine cannot reach. Any other error tells the merchant more. */
function saysLittle(error: unknown): boolean {
  return error instanceof DeadlinePassed || NO_ROUTE_CODES.has(toCode(error))
}

async function dialFirst(
  deps: ConnectDeps,
  target: Target,
  addresses: string[],
  signal: AbortSignal,
): Promise<VettedSocket> {
  const dialed = addresses.slice(0, ADDRESSES_MAX)
  // Each address gets its share of the time, so that some time is left for the next address.
  const shareMs = Math.ceil(deps.connectTimeoutMs / dialed.length)
  let lastError: unknown
  for (const address of dialed) {
    const share = startDeadline(shareMs, signal)
    try {
      const { socket, peerAddress } = await deps.dial(address, target.port, share.signal)
      if (target.isExempt || (peerAddress !== undefined && isPublicAddress(peerAddress))) {
        return { socket, remoteIp: address }
      }
      socket.destroy()
      throw new FetchFailure('blocked_address', BLOCKED_TEXT)
    } catch (error) {
      if (signal.aborted || error instanceof FetchFailure) throw error
      if (lastError === undefined || !saysLittle(error)) lastError = error
    } finally {
      share.clear()
    }
  }
  throw lastError
}

async function startTls(
  deps: ConnectDeps,
  target: Target,
  tcp: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname } = target
  const socket = connectTls({
    socket: tcp,
    host: hostname, // The certificate is checked against this host when there is no server name.
    servername: isIP(hostname) === 0 ? hostname : '', // SNI is for names only.
    secureContext: deps.secureContext,
    ALPNProtocols: ['http/1.1'], // One request at a time per connection; HTTP/2 would need its own limits.
    rejectUnauthorized: true, // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide.
  })
  try {
    await untilEvent(socket, 'secureConnect', signal)
  } catch (error) {
    tcp.destroy()
    throw error
  }
  return socket
}

/** Lookups cannot be cancelled, so a late result is dropped. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(toError(signal.reason))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
