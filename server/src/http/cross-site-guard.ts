// Refuses state-changing requests that another site made a browser send. SameSite cookies are the first protection; this
// is the second, and the only one for routes without a cookie.
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const GOOD_FETCH_SITES = new Set(['same-origin', 'none'])

function originOf(referer: string): string | null {
  return URL.canParse(referer) ? new URL(referer).origin : null
}

export interface SiteHeaders {
  fetchSite: string | undefined
  origin: string | undefined
  referer: string | undefined
}

export function isSameSite(headers: SiteHeaders, ownOrigin: string): boolean {
  const { fetchSite, origin, referer } = headers
  if (fetchSite !== undefined && !GOOD_FETCH_SITES.has(fetchSite)) return false
  // A privacy setting may hide the origin of our own form. Then Sec-Fetch-Site, which was checked above, must be present.
  if (origin === 'null') return fetchSite !== undefined
  if (origin !== undefined) return origin === ownOrigin
  if (referer !== undefined) return originOf(referer) === ownOrigin
  // Every browser sends at least one of the three, so this is a program.
  return true
}

/** Browsers never repeat these headers. */
const toOne = (header: string | string[] | undefined) => (Array.isArray(header) ? 'repeated' : header)

function siteHeadersOf(req: FastifyRequest): SiteHeaders {
  return {
    fetchSite: toOne(req.headers['sec-fetch-site']),
    origin: req.headers.origin,
    referer: req.headers.referer,
  }
}

export function refuseCrossSite(req: FastifyRequest, ownOrigin: string): void {
  if (SAFE_METHODS.has(req.method)) return
  if (!isSameSite(siteHeadersOf(req), ownOrigin)) throw new ServiceError('forbidden_origin')
}

/** From `fetch` or `EventSource` in a script; empty for a program, which does not send the header. */
const SCRIPT_MODES = new Set(['', 'cors', 'same-origin'])
const SCRIPT_DESTINATIONS = new Set(['', 'empty'])

/**
 * For a GET that uses up resources, such as a stream. Browsers send Lax cookies when another site opens one of our
 * addresses, so only scripts of our own pages are accepted, not navigation, frames, images or other sites.
 */
export function refuseForeignRead(req: FastifyRequest, ownOrigin: string): void {
  const mode = toOne(req.headers['sec-fetch-mode']) ?? ''
  const destination = toOne(req.headers['sec-fetch-dest']) ?? ''
  const isScript = SCRIPT_MODES.has(mode) && SCRIPT_DESTINATIONS.has(destination)
  if (!isScript || !isSameSite(siteHeadersOf(req), ownOrigin)) throw new ServiceError('forbidden_origin')
}
