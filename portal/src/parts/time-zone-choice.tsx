import { Choice } from '../ui/field.tsx'

export interface TimeZoneChoiceProps {
  label: string
  value: string
  onChoice: (timeZone: string) => void
}

/** Lists the chosen zone first, then the zone of Montenegro, then the other zones. */
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
