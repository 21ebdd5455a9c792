// Request headers: a record like Node's, with names in any letter case, or a fetch Headers object.
export interface HeadersLike {
  get(name: string): string | readonly string[] | null | undefined
}
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>
export type HeaderSource = HeadersLike | HeaderRecord

/**
 * Null if the header is missing or occurs more than once. If it occurs twice, a proxy might read one value and we the other.
 * A fetch Headers object joins the values with ", ", which makes an id or a timestamp invalid.
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
