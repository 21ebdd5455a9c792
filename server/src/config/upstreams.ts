// Which upstreams there are, and the settings of the http one.
import { ACTION_TIMEOUT_DEFAULT_MIN } from '@pazar/contract'
import type { EnvReader } from './env-reader.ts'

export const BACKENDS = ['sandbox', 'http', 'stripe'] as const
export type BackendName = (typeof BACKENDS)[number]

export interface ChosenUpstreams {
  backend: BackendName
  /** Upstreams that open no payments any more; what was opened with them stays reachable. May repeat BACKEND. */
  backendsKept: readonly BackendName[]
}

export interface UpstreamSettings extends ChosenUpstreams {
  /** Without a slash at the end. Set, as is its secret, when http is BACKEND or in BACKENDS_KEPT. */
  backendUrl: string | null
  backendSecret: string | null
  /** Still accepted on webhooks while BACKEND_SECRET is being replaced. */
  backendSecretPrevious: string | null
  /** What payments carry as the http upstream's account instead of its address. */
  backendAccount: string | null
  /** How long a bank's page may stay open before the payment is closed there and counts as expired. */
  actionTimeoutMin: number
  /** Lets production run on the sandbox or on a Stripe test key, neither of which moves money. */
  allowSandboxLive: boolean
}

/** Signatures under a short key can be guessed; the length is that of the digest they are made with. */
const BACKEND_SECRET_BYTES_MIN = 32

function readBackendsKept(read: EnvReader): BackendName[] {
  const names = (read.text('BACKENDS_KEPT') ?? '').split(',').map((one) => one.trim())
  const known = BACKENDS.filter((one) => names.includes(one))
  if (names.some((one) => one !== '' && !known.some((name) => name === one)))
    read.wrong(`BACKENDS_KEPT must be a list of upstreams out of ${BACKENDS.join(', ')}.`)
  return known
}

/** The part of a sentence that says why the settings of an upstream are needed; null: they are not. */
export function findNeed(name: BackendName, { backend, backendsKept }: ChosenUpstreams): string | null {
  if (backend === name) return `when BACKEND is ${name}`
  return backendsKept.includes(name) ? `while BACKENDS_KEPT has ${name}` : null
}

export function readUpstreams(read: EnvReader): UpstreamSettings {
  const backend = read.oneOf('BACKEND', BACKENDS, 'sandbox')
  const backendsKept = readBackendsKept(read)
  const need = findNeed('http', { backend, backendsKept })
  const url = read.url('BACKEND_URL', ['https:', 'http:'])
  const backendSecret = read.text('BACKEND_SECRET')
  if (url && (url.search || url.hash || url.username))
    read.wrong('BACKEND_URL must be a plain address, without user, query or fragment.')
  const previous = read.text('BACKEND_SECRET_PREVIOUS')
  if (previous !== null && Buffer.byteLength(previous) < BACKEND_SECRET_BYTES_MIN)
    read.wrong(`BACKEND_SECRET_PREVIOUS must have at least ${BACKEND_SECRET_BYTES_MIN} bytes.`)
  if (need && !read.text('BACKEND_URL')) read.wrong(`BACKEND_URL must be set ${need}.`)
  if (need && Buffer.byteLength(backendSecret ?? '') < BACKEND_SECRET_BYTES_MIN)
    read.wrong(`BACKEND_SECRET must have at least ${BACKEND_SECRET_BYTES_MIN} bytes ${need}.`)
  return {
    backend,
    backendsKept,
    backendUrl: url ? url.href.replace(/\/+$/, '') : null,
    backendSecret,
    backendSecretPrevious: previous,
    backendAccount: read.text('BACKEND_ACCOUNT'),
    actionTimeoutMin: read.whole('ACTION_TIMEOUT_MIN', ACTION_TIMEOUT_DEFAULT_MIN, 1, 1440),
    allowSandboxLive: read.flag('ALLOW_SANDBOX_LIVE', false),
  }
}
