// Ours and its floor in turns (A B A B …), so that whatever else the machine does falls on both. The figure is the ratio
// of the medians; the spread says how far to believe it.
export interface Figure {
  name: string
  ours: number
  floor: number | null
  ratio: number | null
  unit: string
  /** The bar of the table, in words: "≥ 0.60", "≤ 1.5". */
  must: string
  goal: string
  met: 'goal' | 'must' | 'missed' | 'reported'
  spread: string
  note?: string
}

export interface Bar {
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
  const far = Math.max(...values.map((value) => Math.abs(value - middle)))
  return `±${Math.round((far / middle) * 100)} %`
}

function isWithin(bar: Bar, limit: number | null, value: number): boolean {
  return limit !== null && (bar.kind === 'at least' ? value >= limit : value <= limit)
}

function toBarText(bar: Bar, limit: number | null): string {
  return limit === null ? '–' : `${bar.kind === 'at least' ? '≥' : '≤'} ${limit}`
}

export function judge(bar: Bar, value: number): Figure['met'] {
  if (isWithin(bar, bar.goal, value)) return 'goal'
  if (isWithin(bar, bar.must, value)) return 'must'
  return bar.must === null && bar.goal === null ? 'reported' : 'missed'
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}

export interface Duel {
  name: string
  unit: string
  bar: Bar
  rounds: number
  ours: () => Promise<number>
  floor: () => Promise<number>
  note?: string
}

/** At least five rounds; each side is warmed up once, unmeasured. */
export async function duel(what: Duel): Promise<Figure> {
  await what.ours()
  await what.floor()
  const ours: number[] = []
  const floor: number[] = []
  for (let n = 0; n < what.rounds; n += 1) {
    ours.push(await what.ours())
    floor.push(await what.floor())
  }
  const ratio = median(ours) / median(floor)
  return {
    name: what.name,
    ours: round(median(ours)),
    floor: round(median(floor)),
    ratio: round(ratio),
    unit: what.unit,
    must: toBarText(what.bar, what.bar.must),
    goal: toBarText(what.bar, what.bar.goal),
    met: judge(what.bar, ratio),
    spread: `${toSpread(ours)} / ${toSpread(floor)}`,
    ...(what.note ? { note: what.note } : {}),
  }
}

/** A figure without a floor: an absolute one, believable only on an otherwise idle machine. */
export function absolute(what: {
  name: string
  unit: string
  bar: Bar
  values: readonly number[]
  note?: string
}): Figure {
  const ours = median(what.values)
  return {
    name: what.name,
    ours: round(ours),
    floor: null,
    ratio: null,
    unit: what.unit,
    must: toBarText(what.bar, what.bar.must),
    goal: toBarText(what.bar, what.bar.goal),
    met: judge(what.bar, ours),
    spread: what.values.length > 1 ? toSpread(what.values) : '',
    ...(what.note ? { note: what.note } : {}),
  }
}
