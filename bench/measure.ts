// `compare` measures our code and its floor in turns (A B A B …), so that other load on the machine affects both. The
// result is the ratio of the medians. The floor is the same work with as little code as possible, or our own work in a
// simpler case.
export interface Result {
  name: string
  ours: number
  floor: number | null
  ratio: number | null
  unit: string
  /** The required value as text, such as "≥ 0.6" or "≤ 1.5". "–" if no value is required. */
  must: string
  goal: string
  met: 'goal' | 'must' | 'missed' | 'reported'
  spread: string
  note?: string
}

/** `must` is the required value, `goal` the desired one. */
export interface Target {
  kind: 'at least' | 'at most'
  must: number | null
  goal: number | null
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function toSpread(values: readonly number[]): string {
  const middle = median(values)
  const largestDistance = Math.max(...values.map((value) => Math.abs(value - middle)))
  return `±${Math.round((largestDistance / middle) * 100)} %`
}

function isWithin(target: Target, limit: number | null, value: number): boolean {
  return limit !== null && (target.kind === 'at least' ? value >= limit : value <= limit)
}

function toTargetText(target: Target, limit: number | null): string {
  return limit === null ? '–' : `${target.kind === 'at least' ? '≥' : '≤'} ${limit}`
}

export function findMet(target: Target, value: number): Result['met'] {
  if (isWithin(target, target.goal, value)) return 'goal'
  if (isWithin(target, target.must, value)) return 'must'
  return target.must === null && target.goal === null ? 'reported' : 'missed'
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}

export interface Measured {
  name: string
  unit: string
  target: Target
  note?: string
}

export interface Comparison extends Measured {
  rounds: number
  ours: () => Promise<number>
  floor: () => Promise<number>
}

/** Each side runs once before the measured rounds, to warm up. */
export async function compare(comparison: Comparison): Promise<Result> {
  await comparison.ours()
  await comparison.floor()
  const ours: number[] = []
  const floor: number[] = []
  for (let n = 0; n < comparison.rounds; n += 1) {
    ours.push(await comparison.ours())
    floor.push(await comparison.floor())
  }
  return toComparedResult(comparison, ours, floor)
}

export function toComparedResult(
  measured: Measured,
  ours: readonly number[],
  floor: readonly number[],
): Result {
  const ratio = median(ours) / median(floor)
  return {
    ...toResult(measured, median(ours), ratio),
    floor: round(median(floor)),
    ratio: round(ratio),
    spread: `${toSpread(ours)} / ${toSpread(floor)}`,
  }
}

/** Compares `value` with the target. `value` is the ratio, or our result if there is no floor. */
function toResult({ name, unit, target, note }: Measured, ours: number, value: number): Result {
  return {
    name,
    ours: round(ours),
    floor: null,
    ratio: null,
    unit,
    must: toTargetText(target, target.must),
    goal: toTargetText(target, target.goal),
    met: findMet(target, value),
    spread: '',
    ...(note ? { note } : {}),
  }
}

/** A result without a floor. Other load on the machine changes such a result. */
export function toAbsoluteResult(measured: Measured & { values: readonly number[] }): Result {
  const ours = median(measured.values)
  return {
    ...toResult(measured, ours, ours),
    spread: measured.values.length > 1 ? toSpread(measured.values) : '',
  }
}
