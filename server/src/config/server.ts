// The process and how it is reached: address, proxy, role, logs, metrics.
import type { EnvReader } from './env-reader.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
const ROLES = ['all', 'web', 'delivery'] as const

export interface ServerSettings {
  port: number
  host: string
  /** Origin without a slash at the end; the only source of links, redirects and cookie names. */
  baseUrl: string
  https: boolean
  /** How many proxies in front of the service may name the client's address. */
  trustProxy: number
  role: (typeof ROLES)[number]
  logLevel: (typeof LOG_LEVELS)[number]
  /** A port of its own for /metrics that payers cannot reach, or a token for the common one. Without either there are none. */
  metricsPort: number | null
  metricsToken: string | null
}

function readBaseUrl(read: EnvReader, port: number): URL {
  const fallback = new URL(`http://localhost:${port}`)
  const url = read.url('BASE_URL', ['http:', 'https:']) ?? fallback
  if (url.pathname === '/' && !url.search && !url.hash && !url.username) return url
  read.wrong('BASE_URL must be an origin alone, such as https://pay.example.me, without a path.')
  return fallback
}

/** Metrics show how a merchant's business goes, so the token must not be guessable. */
const METRICS_TOKEN_CHARS_MIN = 16

function readMetrics(read: EnvReader): Pick<ServerSettings, 'metricsPort' | 'metricsToken'> {
  const metricsToken = read.text('METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < METRICS_TOKEN_CHARS_MIN)
    read.wrong(`METRICS_TOKEN must have at least ${METRICS_TOKEN_CHARS_MIN} characters.`)
  const metricsPort = read.text('METRICS_PORT') === null ? null : read.whole('METRICS_PORT', 0, 1, 65_535)
  return { metricsPort, metricsToken }
}

export function readServer(read: EnvReader): ServerSettings {
  const port = read.whole('PORT', 3000, 1, 65_535)
  const baseUrl = readBaseUrl(read, port)
  return {
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    baseUrl: baseUrl.origin,
    https: baseUrl.protocol === 'https:',
    trustProxy: read.whole('TRUST_PROXY', 0, 0, 10),
    role: read.oneOf('ROLE', ROLES, 'all'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    ...readMetrics(read),
  }
}
