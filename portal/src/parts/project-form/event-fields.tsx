import { words } from '../../ui/language.ts'
import { Check } from '../../ui/field.tsx'
import { OPTIONAL_EVENTS } from './project-values.ts'
import type { OptionalEvent, ProjectValues } from './project-values.ts'

export interface EventFieldsProps {
  values: ProjectValues
  onChange: (change: Partial<Record<OptionalEvent, boolean>>) => void
}

export function EventFields({ values, onChange }: EventFieldsProps) {
  const { title, names, hints } = words().settings.events
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">{title}</legend>
      <Check label={names['payment.result']} hint={hints['payment.result']} checked />
      {OPTIONAL_EVENTS.map((event) => (
        <Check
          key={event}
          label={names[event]}
          hint={hints[event]}
          checked={values[event]}
          onCheck={(isChosen) => onChange({ [event]: isChosen })}
          name={event}
        />
      ))}
    </fieldset>
  )
}
