/**
 * The code can come from a URL, an upstream or a newer service. A code such as `toString` is also a property that every
 * object inherits.
 */
export function findName(names: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(names, code) ? names[code] : undefined
}
