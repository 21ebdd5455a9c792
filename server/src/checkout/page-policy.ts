// Where the forms of the payer's pages may lead, for the content security policy.
import { toPolicySource } from '../http/security-headers.ts'

/**
 * The value of `form-action`. Browsers check it for every redirect after a form post, including redirects of the merchant's
 * and the bank's sites, so all of https: is allowed. In development a merchant or an upstream may use http and redirect to
 * http addresses that we do not know, so http: is allowed then.
 */
export function toFormAction(resultUrl: string | null, upstreamUrls: readonly (string | null)[]): string {
  const plainUrl = resultUrl?.startsWith('http://') ? resultUrl : null
  const origin = plainUrl === null ? null : toPolicySource(plainUrl)
  const anyHttp = plainUrl !== null || upstreamUrls.some((url) => url?.startsWith('http://')) ? 'http:' : null
  return ["'self'", 'https:', origin, anyHttp].filter((source) => source !== null).join(' ')
}
