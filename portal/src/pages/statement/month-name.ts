import { words } from '../../ui/language.ts'

/** "November 2026" or "novembar 2026." */
export function toMonthName(month: string): string {
  const { statement } = words()
  const [year = '', number = ''] = month.split('-')
  const names: Record<string, string> = statement.months
  return statement.monthName(names[number] ?? number, year)
}
