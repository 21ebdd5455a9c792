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

export function refuseCrossSite(req: FastifyRequest, ownOrigin: string): void {
  if (SAFE_METHODS.has(req.method)) return
  const fetchSite = req.headers['sec-fetch-site']
  const headers = {
    fetchSite: Array.isArray(fetchSite) ? 'repeated' : fetchSite,
    origin: req.headers.origin,
    referer: req.headers.referer,
  }
  if (!isSameSite(headers, ownOrigin)) throw new ServiceError('forbidden_origin')
}
