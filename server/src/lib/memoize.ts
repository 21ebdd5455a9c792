// A bounded cache for values that are expensive to compute and always the same for the same key.

/** When full it is cleared, which is cheaper than tracking use; values in use are soon cached again. */
export function createMemo<V>(max: number): (key: string, make: () => V) => V {
  const values = new Map<string, V>()
  return (key, make) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const made = make()
    if (values.size >= max) values.clear()
    values.set(key, made)
    return made
  }
}
