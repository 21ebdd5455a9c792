/** A small generator (mulberry32). The same seed gives the same numbers on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pick<T>(random: () => number, weighted: readonly (readonly [weight: number, value: T])[]): T {
  const total = weighted.reduce((sum, [weight]) => sum + weight, 0)
  let remainingWeight = random() * total
  for (const [weight, value] of weighted) {
    remainingWeight -= weight
    if (remainingWeight < 0) return value
  }
  return weighted[0]![1]
}
