// A bounded cache for values that are expensive to compute and always the same for the same key.

/** A full cache is cleared: this is cheaper than recording which values are used. Used values are soon cached again. */
export function createMemo<V>(max: number): (key: string, make: () => V) => V {
  const values = new Map<string, V>()
  return (key, make) => {
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const value = make()
    if (values.size >= max) values.clear()
    values.set(key, value)
    return value
  }
}
