// Where the forms of the payer's pages may lead, for the content security policy.
import { toPolicySource } from '../http/security-headers.ts'

/**
 * Some browsers check `form-action` for redirects too, so all of https: is allowed. If the merchant or an upstream uses http,
 * as in development, http: is allowed too.
 */
export function toFormAction(resultUrl: string | null, upstreamUrls: readonly (string | null)[]): string {
  const plainUrl = resultUrl?.startsWith('http://') ? resultUrl : null
  const origin = plainUrl === null ? null : toPolicySource(plainUrl)
  const anyHttp = plainUrl !== null || upstreamUrls.some((url) => url?.startsWith('http://')) ? 'http:' : null
  return ["'self'", 'https:', origin, anyHttp].filter((source) => source !== null).join(' ')
}
