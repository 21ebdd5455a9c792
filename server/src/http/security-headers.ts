import type { FastifyInstance, FastifyReply } from 'fastify'

/** Responses that are not pages load nothing, so nothing is allowed. Pages set their own policy. */
const CSP_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const BASE_HEADERS = {
  'content-security-policy': CSP_NOTHING,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With `no-referrer`, browsers would send "Origin: null" when our own form is posted.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
} as const

const HSTS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const

export function toSecurityHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? { ...BASE_HEADERS, ...HSTS } : BASE_HEADERS
}

export function addSecurityHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (_req, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export interface PagePolicy {
  styleHashes?: readonly string[]
  scriptHash?: string
  /** The value of `form-action`. Some browsers also compare this value with every redirect after the post. */
  formAction?: string
  hasManifest?: boolean
}

/**
 * Returns the origin of the URL. Null: the origin is not http or https, or its host has unusual characters. A host with `;`
 * or `,` would end the directive or the policy, and an old project may have such a host.
 */
export function toPolicySource(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? ''
  return /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/.test(origin) ? origin : null
}

export function setPagePolicy(reply: FastifyReply, policy: PagePolicy): void {
  const parts = [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    `form-action ${policy.formAction ?? "'none'"}`,
  ]
  if (policy.hasManifest) parts.push("manifest-src 'self'")
  if (policy.styleHashes) parts.push(`style-src ${policy.styleHashes.map((hash) => `'${hash}'`).join(' ')}`)
  if (policy.scriptHash) parts.push(`script-src '${policy.scriptHash}'`, "connect-src 'self'")
  reply.header('content-security-policy', parts.join('; '))
}
