// Buttons that remove filters. Only phones show these buttons, and only while the filter fields are collapsed.
import { X } from 'lucide-react'
import { formatDate } from '@pazar/words'
import { findName } from './find-name.ts'
import type { ListSearch } from './search.ts'
import { Button } from '../ui/button.tsx'
import { locale, words } from '../ui/language.ts'

export interface NamedChoice {
  label: string
  all: string
  names: Readonly<Record<string, string>>
}

export type FilterChange = Partial<Record<'q' | 'status' | 'outcome' | 'from' | 'to' | 'order', string>>

export interface FilterFieldsProps {
  search: ListSearch
  states: NamedChoice
  outcomes: NamedChoice | undefined
  onChange: (change: FilterChange) => void
}

/** A day has no time zone, so it is read and formatted in UTC. */
function toDayText(day: string): string {
  return formatDate(locale, new Date(`${day}T12:00:00Z`), 'UTC')
}

export function FilterChips({ search, states, outcomes, onChange }: FilterFieldsProps) {
  const { filters } = words().payments
  const { status, outcome, from, to } = search
  const days =
    from && to
      ? `${toDayText(from)} – ${toDayText(to)}`
      : from
        ? `${filters.from}: ${toDayText(from)}`
        : to && `${filters.to}: ${toDayText(to)}`
  const chips: [string | undefined, FilterChange][] = [
    [status && findName(states.names, status), { status: '' }],
    [outcome && outcomes && findName(outcomes.names, outcome), { outcome: '' }],
    [days, { from: '', to: '' }],
  ]
  return chips.map(
    ([name, change]) =>
      name && (
        <Button
          key={Object.keys(change).join('')}
          small
          className="sm:hidden"
          aria-label={filters.remove(name)}
          onClick={() => onChange(change)}
        >
          {name}
          <X aria-hidden className="size-4" />
        </Button>
      ),
  )
}
