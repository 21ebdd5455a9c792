import { addDays } from '@pazar/words'

/** The first day of a month plus this many days is always in the next month. */
const INTO_NEXT_MONTH_DAYS = 40

export function toBounds(month: string): { from: string; to: string } {
  const from = `${month}-01`
  return { from, to: `${addDays(from, INTO_NEXT_MONTH_DAYS).slice(0, 'YYYY-MM'.length)}-01` }
}

export function listDates({ from, to }: { from: string; to: string }): string[] {
  const dates: string[] = []
  for (let date = from; date < to; date = addDays(date, 1)) dates.push(date)
  return dates
}
