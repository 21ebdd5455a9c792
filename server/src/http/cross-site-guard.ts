// Refuses a state change that another site made a browser send. SameSite cookies are the first wall; this is the
// second, and the only one for routes that need no cookie.
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
  // A privacy setting may blank the origin of our own form; the browser's own verdict then has to vouch for it.
  if (origin === 'null') return fetchSite !== undefined
  if (origin !== undefined) return origin === ownOrigin
  if (referer !== undefined) return originOf(referer) === ownOrigin
  // No browser leaves out all three, so this is a program, which acts for itself alone.
  return true
}

/** No browser repeats one of its own headers. */
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

/** A script's `fetch` or `EventSource`; a program that is no browser sends no such header. */
const SCRIPT_MODES = new Set(['', 'cors', 'same-origin'])
const SCRIPT_DESTINATIONS = new Set(['', 'empty'])

/**
 * For a GET that costs something to answer, such as an open stream. A Lax cookie is sent along when another site opens
 * a window on us, so there only a script of our own page passes: no navigation, no frame, no image, no foreign page.
 */
export function refuseForeignRead(req: FastifyRequest, ownOrigin: string): void {
  const mode = toOne(req.headers['sec-fetch-mode']) ?? ''
  const destination = toOne(req.headers['sec-fetch-dest']) ?? ''
  const isScript = SCRIPT_MODES.has(mode) && SCRIPT_DESTINATIONS.has(destination)
  if (!isScript || !isSameSite(siteHeadersOf(req), ownOrigin)) throw new ServiceError('forbidden_origin')
}
