import { formatDate } from '@pazar/words'
import { Field } from '../ui/field.tsx'
import type { FieldProps } from '../ui/field.tsx'
import { locale } from '../ui/language.ts'
import { parseDay } from './search.ts'

/** The browser shows the date in the browser's language. The hint shows the date in the language of the page. */
export function DayField(props: Omit<FieldProps, 'type' | 'hint'>) {
  const day = parseDay(props.value)
  return <Field {...props} type="date" hint={day && formatDate(locale, new Date(day), 'UTC')} />
}
