// Request headers: Node's record with any letter case, or a fetch Headers object.
export interface HeadersLike {
  get(name: string): string | readonly string[] | null | undefined
}
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>
export type HeaderSource = HeadersLike | HeaderRecord

/**
 * Null if the header is missing. Also null if it is duplicated, because a proxy might read another value than we do. A
 * fetch Headers object joins duplicates with a comma and a space, which no id, time or signature contains.
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
