// How long merchants take to accept a callback, as a histogram. Below 16 ms, each step is one millisecond wide. Above,
// each range from one time to its double (16 to 32 ms, 32 to 64 ms …) has eight steps. A reported percentile is in the
// same step as the exact percentile.
const EXACT_BELOW_MS = 16
const STEPS_PER_DOUBLING = 8
const DOUBLINGS = 10

/** The start of each step. The migration `0010_figures.sql`, which counts earlier responses, uses the same steps. */
export const STEP_STARTS_MS: readonly number[] = [
  ...Array.from({ length: EXACT_BELOW_MS }, (_, ms) => ms),
  ...Array.from({ length: DOUBLINGS * STEPS_PER_DOUBLING }, (_, n) => {
    const doubling = 2 ** Math.floor(n / STEPS_PER_DOUBLING)
    return doubling * (EXACT_BELOW_MS + (n % STEPS_PER_DOUBLING) * (EXACT_BELOW_MS / STEPS_PER_DOUBLING))
  }),
]

export const STEPS = STEP_STARTS_MS.length

export function toStep(durationMs: number): number {
  const ms = Math.max(0, Math.floor(durationMs))
  if (ms < EXACT_BELOW_MS) return ms
  const doubling = Math.floor(Math.log2(ms / EXACT_BELOW_MS))
  const width = (EXACT_BELOW_MS / STEPS_PER_DOUBLING) * 2 ** doubling
  const withinDoubling = Math.floor((ms - EXACT_BELOW_MS * 2 ** doubling) / width)
  return Math.min(STEPS - 1, EXACT_BELOW_MS + doubling * STEPS_PER_DOUBLING + withinDoubling)
}

export type StepCounts = readonly number[]

export const NO_RESPONSES: StepCounts = STEP_STARTS_MS.map(() => 0)

export function countSteps(durationsMs: readonly number[]): number[] {
  const counts = [...NO_RESPONSES]
  for (const step of durationsMs.map(toStep)) counts[step] = (counts[step] ?? 0) + 1
  return counts
}

export function addCounts(counts: StepCounts, otherCounts: StepCounts): number[] {
  return counts.map((count, step) => count + (otherCounts[step] ?? 0))
}

/** The time within which this share of the responses arrived; null when there were none. */
export function findPercentileMs(counts: StepCounts, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(total * share))
  let countBefore = 0
  for (const [step, count] of counts.entries()) {
    if (countBefore + count >= rank) return toValueWithin(step, (rank - countBefore - 0.5) / count)
    countBefore += count
  }
  return null
}

/** Assumes that the responses of a step are distributed evenly in it. */
function toValueWithin(step: number, share: number): number {
  const startMs = STEP_STARTS_MS[step]!
  const endMs = STEP_STARTS_MS[step + 1] ?? startMs + 1
  return startMs + Math.floor((endMs - startMs) * share)
}
