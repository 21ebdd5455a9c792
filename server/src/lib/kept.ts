// A bounded memory for answers that are dear to make and always the same for the same question.

/** Full, it forgets everything: cheaper than keeping an order, and what is in use comes back at once. */
export function createKept<V>(max: number): (key: string, make: () => V) => V {
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
