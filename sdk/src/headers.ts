// Request headers as merchants hold them: Node's record in any spelling, or a fetch Headers object.
export interface HeadersLike {
  get(name: string): string | null
}
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>
export type HeaderSource = HeadersLike | HeaderRecord

/** Null when the header is missing or there more than once: with two values a proxy and we might read different ones. */
export function findHeader(headers: HeaderSource, name: string): string | null {
  if (isHeadersLike(headers)) return headers.get(name)
  const values: string[] = []
  for (const [key, value] of Object.entries(headers)) {
    if (value !== undefined && key.toLowerCase() === name) values.push(...[value].flat())
  }
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : null
}

function isHeadersLike(headers: HeaderSource): headers is HeadersLike {
  return typeof headers.get === 'function'
}
