// Refuses requests that a browser sends for another site, if the requests would change something or use up resources.
// SameSite cookies are the first protection. This check is the second, and the only one for routes without a cookie.
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const OWN_FETCH_SITES = new Set(['same-origin', 'none'])

function originOf(referer: string): string | null {
  return URL.canParse(referer) ? new URL(referer).origin : null
}

export interface SiteHeaders {
  fetchSite: string | undefined
  origin: string | undefined
  referer: string | undefined
}

/** True for our own pages and for clients that are not browsers. False for other sites, and for other hosts of our site. */
export function isAllowedOrigin(headers: SiteHeaders, ownOrigin: string): boolean {
  const { fetchSite, origin, referer } = headers
  if (fetchSite !== undefined && !OWN_FETCH_SITES.has(fetchSite)) return false
  // A privacy setting may hide the origin of our own form. Such a post needs Sec-Fetch-Site, which is checked above.
  if (origin === 'null') return fetchSite !== undefined
  if (origin !== undefined) return origin === ownOrigin
  if (referer !== undefined) return originOf(referer) === ownOrigin
  // Every browser sends at least one of the three headers, so a client without any of them is not a browser.
  return true
}

/** Browsers never repeat these headers, so a repeated header is always refused. */
const toSingleValue = (header: string | string[] | undefined) => (Array.isArray(header) ? 'repeated' : header)

function siteHeadersOf(req: FastifyRequest): SiteHeaders {
  return {
    fetchSite: toSingleValue(req.headers['sec-fetch-site']),
    origin: req.headers.origin,
    referer: req.headers.referer,
  }
}

export function refuseCrossSite(req: FastifyRequest, ownOrigin: string): void {
  if (SAFE_METHODS.has(req.method)) return
  if (!isAllowedOrigin(siteHeadersOf(req), ownOrigin)) throw new ServiceError('forbidden_origin')
}

/** Values of Sec-Fetch-Mode and Sec-Fetch-Dest in a request by `fetch` or `EventSource`. '' stands for a missing header. */
const SCRIPT_MODES = new Set(['', 'cors', 'same-origin'])
const SCRIPT_DESTINATIONS = new Set(['', 'empty'])

/**
 * For a GET that uses up resources, such as a stream. Browsers send our cookies even if another site opens the URL, so only
 * scripts of our own pages, and clients other than browsers, are accepted.
 */
export function refuseForeignRead(req: FastifyRequest, ownOrigin: string): void {
  const mode = toSingleValue(req.headers['sec-fetch-mode']) ?? ''
  const destination = toSingleValue(req.headers['sec-fetch-dest']) ?? ''
  const isScript = SCRIPT_MODES.has(mode) && SCRIPT_DESTINATIONS.has(destination)
  if (!isScript || !isAllowedOrigin(siteHeadersOf(req), ownOrigin)) throw new ServiceError('forbidden_origin')
}
