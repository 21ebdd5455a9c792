// Every page has one URL, without a slash at the end. A request with the slash is redirected.

/** Null: there is nothing to remove, or the rest could lead to another host. */
export function findPathWithoutSlash(method: string, url: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  if (!path.endsWith('/')) return null
  const shorter = path.replace(/\/+$/, '')
  // Browsers read `//name` and `/\name` as another host.
  if (!/^\/[^/\\]/.test(shorter)) return null
  return queryStart < 0 ? shorter : shorter + url.slice(queryStart)
}
