// Request headers as merchants hold them: Node's record in any spelling, or a fetch Headers object.
export interface HeadersLike {
  get(name: string): string | readonly string[] | null | undefined
}
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>
export type HeaderSource = HeadersLike | HeaderRecord

/**
 * Null when the header is missing or there more than once: with two values a proxy and we might read different ones. A
 * fetch Headers joins them with a comma and a space, which no id, time or signature of ours contains.
 */
export function findHeader(headers: HeaderSource, name: string): string | null {
  const values = isHeadersLike(headers)
    ? [headers.get(name)].flat()
    : Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : null
}

function isHeadersLike(headers: HeaderSource): headers is HeadersLike {
  return typeof headers.get === 'function'
}
