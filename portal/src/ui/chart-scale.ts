// The scale of a chart's vertical axis: round numbers, evenly spaced, up to the first one that no bar exceeds. Pure
// functions.

export interface ChartScale {
  top: bigint
  /** From zero to the top. */
  ticks: readonly bigint[]
}

/** More gridlines would crowd a chart of this height. */
const GAPS_MAX = 5n

/** 1, 2 or 5, and as many zeros as needed. */
function toStep(highest: bigint): bigint {
  for (let unit = 1n; ; unit *= 10n) {
    const step = [unit, 2n * unit, 5n * unit].find((one) => one * GAPS_MAX >= highest)
    if (step !== undefined) return step
  }
}

export function toScale(highest: bigint): ChartScale {
  const step = toStep(highest)
  const gaps = highest <= step ? 1 : Number((highest + step - 1n) / step)
  const ticks = Array.from({ length: gaps + 1 }, (_, index) => step * BigInt(index))
  return { top: step * BigInt(gaps), ticks }
}

/** Exact to a ten-thousandth, which is less than a pixel. The sums may be larger than a number can hold exactly. */
export function toShare(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000
}
