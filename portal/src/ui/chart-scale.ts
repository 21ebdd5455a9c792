// The scale of a chart's vertical axis: round numbers, beginning with 0. The last number is at least as high as the
// highest bar.

export interface ChartScale {
  top: bigint
  ticks: readonly bigint[]
}

/** More gridlines would crowd the chart. */
const GAPS_MAX = 5n

/** The step is 1, 2 or 5, followed by as many zeros as needed. */
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

/** Exact to a ten-thousandth, which is less than a pixel. */
export function toShare(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000
}
