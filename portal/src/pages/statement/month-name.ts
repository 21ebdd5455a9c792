import { words } from '../../ui/language.ts'

/** For `2026-11`: "November 2026" in English, "novembar 2026." in Montenegrin. */
export function toMonthName(month: string): string {
  const { statement } = words()
  const [year = '', number = ''] = month.split('-')
  const names: Record<string, string> = statement.months
  return statement.monthName(names[number] ?? number, year)
}
