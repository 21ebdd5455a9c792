import type { EnvReader } from './env-reader.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
/**
 * Load balancers need less time than this. There is a maximum, because a supervisor must wait for the whole drain before
 * it kills the process.
 */
const DRAIN_SEC_MAX = 300
const ROLES = ['all', 'web', 'delivery'] as const

export interface ServerSettings {
  port: number
  host: string
  /** The origin of all our links and redirects, without a trailing slash. The Host header of a request is never used. */
  baseUrl: string
  https: boolean
  /** How many proxies in front of the service are trusted to report the client's address. */
  trustProxy: number
  role: (typeof ROLES)[number]
  /** How long a stopping process still accepts requests, so that load balancers can stop sending them. */
  drainSec: number
  logLevel: (typeof LOG_LEVELS)[number]
  /** /metrics has a separate port or needs a token. If both settings are null, there is no /metrics. */
  metricsPort: number | null
  metricsToken: string | null
  /** An OpenTelemetry collector. Null: no spans are sent. */
  otlpEndpoint: string | null
}

function readBaseUrl(read: EnvReader, port: number): URL {
  const fallback = new URL(`http://localhost:${port}`)
  const url = read.url('BASE_URL', ['http:', 'https:']) ?? fallback
  if (url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password) return url
  read.addProblem('BASE_URL must be an origin alone, such as https://pay.example.me, without a path.')
  return fallback
}

/** Metrics reveal how many payments are made, so the token must not be guessable. */
const METRICS_TOKEN_CHARS_MIN = 16

function readMetrics(read: EnvReader, port: number): Pick<ServerSettings, 'metricsPort' | 'metricsToken'> {
  const metricsToken = read.text('METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < METRICS_TOKEN_CHARS_MIN)
    read.addProblem(`METRICS_TOKEN must have at least ${METRICS_TOKEN_CHARS_MIN} characters.`)
  const metricsPort = read.text('METRICS_PORT') === null ? null : read.integer('METRICS_PORT', 0, 1, 65_535)
  if (metricsPort === port) read.addProblem('METRICS_PORT must not be the same as PORT.')
  return { metricsPort, metricsToken }
}

function readOtlpEndpoint(read: EnvReader): string | null {
  return read.plainUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.href ?? null
}

export function readServer(read: EnvReader): ServerSettings {
  const port = read.integer('PORT', 3000, 1, 65_535)
  const baseUrl = readBaseUrl(read, port)
  return {
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    baseUrl: baseUrl.origin,
    https: baseUrl.protocol === 'https:',
    trustProxy: read.integer('TRUST_PROXY', 0, 0, 10),
    role: read.oneOf('ROLE', ROLES, 'all'),
    drainSec: read.integer('DRAIN_SECONDS', 0, 0, DRAIN_SEC_MAX),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    ...readMetrics(read, port),
    otlpEndpoint: readOtlpEndpoint(read),
  }
}
