// Sends a callback: checks the merchant's URL, and sends one POST over a connection from vetted-connect.ts, with limits
// of time and size. Faults become outcomes for the log. Follows no redirects, uses no proxy settings of the environment
// and decompresses nothing.
import { CALLBACK_TIMEOUT_MS } from '@pazar/contract'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../lib/clock.ts'
import { createMemo } from '../lib/memoize.ts'
import { lookupOnMachine } from '../lib/resolver.ts'
import type { Resolver } from '../lib/resolver.ts'
import { parseCallbackUrl } from './url-rules.ts'
import type { AllowHosts, UrlProblem } from './url-rules.ts'
import { startDeadline } from './deadline.ts'
import { dialDirect } from './dial.ts'
import type { Dial } from './dial.ts'
import { createProxyDial } from './egress-proxy.ts'
import { exchange } from './exchange.ts'
import type { HttpResponse } from './exchange.ts'
import { BLOCKED_TEXT, toFault, toOutcomeKind, URL_REFUSED_TEXT } from './fetch-outcome.ts'
import type { FetchOutcome } from './fetch-outcome.ts'
import { createConnectionPool } from './connection-pool.ts'
import type { PoolLimits } from './connection-pool.ts'
import { connectVetted } from './vetted-connect.ts'
import type { ConnectDeps } from './vetted-connect.ts'

export type { FetchOutcome } from './fetch-outcome.ts'

export interface FetchLimits extends PoolLimits {
  /** The time from the first lookup to the last byte. */
  totalTimeoutMs: number
  connectTimeoutMs: number
  /**
   * At most this many bytes of the response's body are read. The log stores fewer, so a secret that crosses the end of the
   * stored part is still read completely and can be removed.
   */
  bodyBytesMax: number
}

export const FETCH_LIMITS: FetchLimits = {
  totalTimeoutMs: CALLBACK_TIMEOUT_MS,
  connectTimeoutMs: 5_000,
  bodyBytesMax: 16 * 1024,
  headerBytesMax: 16 * 1024,
  idleTimeoutMs: 4_000,
  connectionAgeMsMax: 60_000,
  idlePerOriginMax: 96,
}

/** A request may be sent up to this long after the connect timeout, because the process may be busy. */
const SEND_MARGIN_MS = 1_000
const RETRY_AFTER_LENGTH_MAX = 64
/** As long as the longest URL that a project may have. */
const LOCATION_LENGTH_MAX = 2048

export interface PublicFetchOptions {
  resolver: Resolver
  allowHosts: AllowHosts
  limits?: Partial<FetchLimits>
  /** The default is monotonic, unlike the wall clock. */
  clock?: Clock
  egressProxy?: URL | null
  /** A PEM certificate, trusted instead of the public authorities: for tests and for networks with a private authority. */
  privateCa?: string
  /** Only for tests: may dial another address than the checked one. */
  dialForTests?: Dial
  /** Only for tests: resolves the names of hosts that `allowHosts` exempts from the address check. */
  lookupForTests?: (host: string) => Promise<string[]>
}

const TARGETS_MAX = 2_000

function toTarget(url: string, allowHosts: AllowHosts) {
  const target = parseCallbackUrl(url, allowHosts)
  // Nothing is sent to a refused URL, so its origin and path are placeholders.
  const { origin, pathname, search } = new URL(target.problem === null ? target.href : 'http://refused')
  return { target, origin, path: pathname + search }
}

export interface PublicFetch {
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<FetchOutcome>
  /** Closes idle connections. Requests in flight are not aborted. */
  close(): Promise<void>
}

export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
  const limits = { ...FETCH_LIMITS, ...options.limits }
  const nowMs = () => options.clock?.nowMs() ?? performance.now()
  const pool = createConnectionPool(limits, nowMs)
  // The checked and parsed URLs are cached, because the result for a URL never changes in this process.
  const targetOf = createMemo<ReturnType<typeof toTarget>>(TARGETS_MAX)
  const connectDeps: ConnectDeps = {
    resolver: options.resolver,
    lookupExempt: options.lookupForTests ?? lookupOnMachine,
    dial: options.dialForTests ?? (options.egressProxy ? createProxyDial(options.egressProxy) : dialDirect),
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(options.privateCa === undefined ? {} : { ca: options.privateCa }),
    }),
    connectTimeoutMs: limits.connectTimeoutMs,
  }

  return {
    async post(url, headers, body) {
      const startedMs = nowMs()
      const toDurationMs = () => Math.max(0, Math.round(nowMs() - startedMs))
      const { target, origin, path } = targetOf(url, () => toTarget(url, options.allowHosts))
      if (target.problem !== null)
        return {
          ...NO_RESPONSE_FACTS,
          outcome: 'blocked_address',
          error: toRefusalText(target.problem),
          durationMs: toDurationMs(),
        }

      const sendByMs = performance.now() + limits.connectTimeoutMs + SEND_MARGIN_MS
      const { signal: attempt, clear } = startDeadline(limits.totalTimeoutMs)
      const connection = pool.take(origin, attempt, (signal) => connectVetted(connectDeps, target, signal))
      let isReusable = false
      try {
        const request = { path, headers: { ...headers, 'accept-encoding': 'identity' }, body, sendByMs }
        const response = await exchange(connection.client, request, attempt, limits.bodyBytesMax)
        isReusable = response.end === 'whole'
        return {
          outcome: toOutcomeKind(response.statusCode),
          statusCode: response.statusCode,
          error: null,
          responseBody: response.bytes,
          bodyEnd: response.end === 'broken' && attempt.aborted ? 'late' : response.end,
          remoteIp: connection.remoteIp,
          retryAfter: findHeader(response.headers, 'retry-after', RETRY_AFTER_LENGTH_MAX),
          location: findHeader(response.headers, 'location', LOCATION_LENGTH_MAX),
          durationMs: toDurationMs(),
          isEgressFault: false,
        }
      } catch (error) {
        const fault = toFault(error, attempt.aborted)
        const { remoteIp } = connection
        return { ...NO_RESPONSE_FACTS, ...fault, remoteIp, durationMs: toDurationMs() }
      } finally {
        clear()
        pool.giveBack(connection, isReusable)
      }
    },
    close: () => pool.close(),
  }
}

const NO_RESPONSE_FACTS = {
  statusCode: null,
  error: null,
  responseBody: Buffer.alloc(0),
  bodyEnd: 'whole' as const,
  remoteIp: null,
  retryAfter: null,
  location: null,
  isEgressFault: false,
}

/**
 * A private address in the URL gets the same text as a private address from DNS. For any other problem, the text names
 * the problem.
 */
function toRefusalText(problem: UrlProblem): string {
  return problem === 'private_address' ? BLOCKED_TEXT : URL_REFUSED_TEXT + problem
}

function findHeader(headers: HttpResponse['headers'], name: string, lengthMax: number): string | null {
  const value = headers[name]
  const first = Array.isArray(value) ? value[0] : value
  return first?.slice(0, lengthMax) ?? null
}
