/** Null: the method is not GET or HEAD, there is no slash to remove, or the shorter path could lead to another host. */
export function findPathWithoutSlash(method: string, url: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  if (!path.endsWith('/')) return null
  // A pattern such as /\/+$/ would start again at every slash, so thousands of slashes would block the process.
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  const shorter = path.slice(0, end)
  // Browsers read `//name` and `/\name` as another host.
  if (!/^\/[^/\\]/.test(shorter)) return null
  return queryStart < 0 ? shorter : shorter + url.slice(queryStart)
}
