/**
 * Undefined: the code is unknown. Codes can come from a URL, an upstream or a newer service. So a code such as `toString`
 * must not find the property that every object inherits.
 */
export function findName(names: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(names, code) ? names[code] : undefined
}
