import { formatDate } from '@pazar/words'
import { Field } from '../ui/field.tsx'
import type { FieldProps } from '../ui/field.tsx'
import { locale } from './language.ts'
import { parseDay } from './search.ts'

/** The browser's field writes days in the way of its own language; ours stands below it. */
export function DayField(props: Omit<FieldProps, 'type' | 'hint'>) {
  const day = parseDay(props.value)
  return <Field {...props} type="date" hint={day && formatDate(locale, new Date(day), 'UTC')} />
}
