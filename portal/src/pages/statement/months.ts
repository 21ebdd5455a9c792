import { toDay } from '@pazar/words'

/** Two years are listed, so that a month can be compared with the year before. Older months can be opened with the URL. */
const MONTHS_SHOWN = 24

export function toMonth(nowMs: number, timeZone: string): string {
  return toDay(nowMs, timeZone).slice(0, 7)
}

/** Lists the newest month first. The chosen month is listed even if it is older than the others. */
export function listMonths(current: string, chosen: string): string[] {
  const [year = 0, month = 0] = current.split('-').map(Number)
  const months = Array.from({ length: MONTHS_SHOWN }, (_, back) => {
    const index = year * 12 + month - 1 - back
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
  })
  return [...new Set([...months, chosen])].toSorted().toReversed()
}
