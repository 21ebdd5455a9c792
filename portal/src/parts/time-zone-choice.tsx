import { Choice } from '../ui/field.tsx'

export interface TimeZoneChoiceProps {
  label: string
  value: string
  onChoice: (timeZone: string) => void
}

/** The chosen zone comes first, then the zone of Montenegro, then all others that the browser knows. */
export function TimeZoneChoice({ label, value, onChoice }: TimeZoneChoiceProps) {
  const zones = [...new Set([value, 'Europe/Podgorica', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <Choice
      label={label}
      value={value}
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      onChoice={onChoice}
    />
  )
}
