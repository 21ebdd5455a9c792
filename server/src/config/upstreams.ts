import { ACTION_TIMEOUT_DEFAULT_MIN } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export const BACKENDS = ['sandbox', 'http', 'stripe'] as const
export type BackendName = (typeof BACKENDS)[number]

export interface ChosenUpstreams {
  backend: BackendName
  /** Upstreams that have opened payments before and still serve those payments. May contain BACKEND. */
  backendsKept: readonly BackendName[]
}

export interface UpstreamSettings extends ChosenUpstreams {
  /** The URL has no trailing slash. It is never null if http is BACKEND or in BACKENDS_KEPT. */
  backendUrl: string | null
  backendSecret: string | null
  /** Accepted on webhooks while BACKEND_SECRET is being replaced. */
  backendSecretPrevious: string | null
  /** The account that is stored with payments of the http upstream. Null: BACKEND_URL is stored as the account. */
  backendAccount: string | null
  /** How long a bank's page may stay open before the payment is cancelled. */
  actionTimeoutMin: number
  /** Allows the sandbox or a Stripe test key in production, although they charge no money. */
  allowSandboxLive: boolean
}

/** A secret must be at least as long as an HMAC-SHA256 signature. */
const BACKEND_SECRET_BYTES_MIN = 32

function readBackendsKept(read: EnvReader): BackendName[] {
  const entries = (read.text('BACKENDS_KEPT') ?? '').split(',').map((entry) => entry.trim())
  const names = BACKENDS.filter((name) => entries.includes(name))
  if (entries.some((entry) => entry !== '' && !names.some((name) => name === entry)))
    read.addProblem(`BACKENDS_KEPT must be a comma-separated list of: ${BACKENDS.join(', ')}.`)
  return names
}

/** Why a setting of this upstream is needed, as the end of an error message. Null: the upstream is not used. */
export function toReasonNeeded(name: BackendName, { backend, backendsKept }: ChosenUpstreams): string | null {
  if (backend === name) return `when BACKEND is ${name}`
  return backendsKept.includes(name) ? `while BACKENDS_KEPT has ${name}` : null
}

export function readUpstreams(read: EnvReader): UpstreamSettings {
  const backend = read.oneOf('BACKEND', BACKENDS, 'sandbox')
  const backendsKept = readBackendsKept(read)
  const neededBecause = toReasonNeeded('http', { backend, backendsKept })
  const url = read.plainUrl('BACKEND_URL', ['https:', 'http:'])
  const backendSecret = read.text('BACKEND_SECRET')
  const previous = read.text('BACKEND_SECRET_PREVIOUS')
  if (previous !== null && Buffer.byteLength(previous) < BACKEND_SECRET_BYTES_MIN)
    read.addProblem(`BACKEND_SECRET_PREVIOUS must have at least ${BACKEND_SECRET_BYTES_MIN} bytes.`)
  if (neededBecause && !read.text('BACKEND_URL')) read.addProblem(`BACKEND_URL must be set ${neededBecause}.`)
  if (neededBecause && Buffer.byteLength(backendSecret ?? '') < BACKEND_SECRET_BYTES_MIN)
    read.addProblem(`BACKEND_SECRET must have at least ${BACKEND_SECRET_BYTES_MIN} bytes ${neededBecause}.`)
  return {
    backend,
    backendsKept,
    backendUrl: url ? url.href.replace(/\/+$/, '') : null,
    backendSecret,
    backendSecretPrevious: previous,
    backendAccount: read.text('BACKEND_ACCOUNT'),
    actionTimeoutMin: read.integer('ACTION_TIMEOUT_MIN', ACTION_TIMEOUT_DEFAULT_MIN, 1, 1440),
    allowSandboxLive: read.flag('ALLOW_SANDBOX_LIVE', false),
  }
}

export function isLiveSandbox({
  backend,
  stripe,
}: {
  backend: string
  stripe: { livemode: boolean } | null
}): boolean {
  return backend === 'sandbox' || (backend === 'stripe' && stripe?.livemode === false)
}
