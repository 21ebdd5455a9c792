// The filters of a list. The filters are in the URL, so that people can share a view.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { SlidersHorizontal } from 'lucide-react'
import { SEARCH_MAX } from '@pazar/contract/limits'
import { addDays, toDay } from '@pazar/words'
import { useAccount } from '../api/session.ts'
import { DayField } from './day-field.tsx'
import { FilterChips } from './filter-chips.tsx'
import type { FilterChange, FilterFieldsProps, NamedChoice } from './filter-chips.tsx'
import { words } from '../ui/language.ts'
import { isFiltered, parseDay } from './search.ts'
import type { ListSearch } from './search.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Choice, Field } from '../ui/field.tsx'
import { SortChoice } from './sort-link.tsx'

const TYPING_PAUSE_MS = 300

export interface FiltersProps {
  /** The filters in the URL, without those that the list does not offer (`keepOfferedFilters`). */
  search: ListSearch
  states: NamedChoice
  outcomes?: NamedChoice
  sortable?: boolean
}

function toOptions({ all, names }: NamedChoice) {
  return [{ value: '', label: all }, ...Object.entries(names).map(([value, label]) => ({ value, label }))]
}

export function Filters({ search, states, outcomes, sortable = false }: FiltersProps) {
  const { filters } = words().payments
  const change = useFilterChange()
  const hasFilters = isFiltered(search)
  // On a phone, the filters are collapsed at first, so that the rows are in view.
  const [open, setOpen] = useState(false)
  const setCount = [search.status, search.outcome, search.from ?? search.to].filter(Boolean).length
  const panel = useId()
  return (
    <search
      aria-label={filters.label}
      className={classNames('grid items-start gap-3', outcomes ? 'lg:grid-cols-2' : 'lg:grid-cols-[2fr_3fr]')}
    >
      <div className={classNames('flex items-end gap-2', outcomes && 'lg:col-span-2')}>
        <SearchField value={search.q ?? ''} onSearch={(q) => change({ q })} />
        <Button
          className="sm:hidden"
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
          icon={<SlidersHorizontal aria-hidden className="size-4" />}
        >
          {setCount > 0 ? filters.labelSet(setCount) : filters.label}
        </Button>
      </div>
      <div
        id={panel}
        className={classNames(
          'grid-cols-2 items-start gap-3 sm:grid',
          outcomes ? 'sm:grid-cols-4 lg:col-span-2' : 'sm:grid-cols-3',
          open ? 'grid' : 'hidden',
        )}
      >
        <FilterFields search={search} states={states} outcomes={outcomes} onChange={change} />
        {sortable && <SortChoice order={search.order} onChoice={(order) => change({ order })} />}
      </div>
      <div
        className={classNames(
          'flex-wrap gap-2 sm:flex lg:col-span-2',
          open || hasFilters ? 'flex' : 'hidden',
        )}
      >
        <div className={classNames('contents', !open && 'max-sm:hidden')}>
          <DayButtons onRange={change} />
        </div>
        {!open && <FilterChips search={search} states={states} outcomes={outcomes} onChange={change} />}
        {hasFilters && (
          <Button
            small
            kind="quiet"
            className="px-0! text-accent! underline underline-offset-4"
            onClick={() => change({ q: '', status: '', outcome: '', from: '', to: '' })}
          >
            {filters.clear}
          </Button>
        )}
      </div>
    </search>
  )
}

function FilterFields({ search, states, outcomes, onChange }: FilterFieldsProps) {
  const { filters } = words().payments
  return (
    <>
      <Choice
        className="col-span-2 sm:col-span-1"
        label={states.label}
        value={search.status ?? ''}
        options={toOptions(states)}
        onChoice={(status) => onChange({ status })}
      />
      {outcomes && (
        <Choice
          className="col-span-2 sm:col-span-1"
          label={outcomes.label}
          value={search.outcome ?? ''}
          options={toOptions(outcomes)}
          onChoice={(outcome) => onChange({ outcome })}
        />
      )}
      <FilterDay
        label={filters.from}
        day={search.from ?? ''}
        max={search.to}
        onDay={(from) => onChange({ from })}
      />
      <FilterDay
        label={filters.to}
        day={search.to ?? ''}
        min={search.from}
        onDay={(to) => onChange({ to })}
      />
    </>
  )
}

interface FilterDayProps {
  label: string
  day: string
  onDay: (day: string) => void
  min?: string | undefined
  max?: string | undefined
}

/**
 * The text of a field whose value is in the URL. If the field itself has changed the URL, the text stays as it was typed.
 * Otherwise the caret would move during typing, and nobody could replace a date by typing another one.
 */
function useTextOfAddress(value: string) {
  const [text, setText] = useState(value)
  const [sent, setSent] = useState<string | null>(null)
  const [followed, setFollowed] = useState(value)
  if (followed !== value) {
    setFollowed(value)
    setSent(null)
    // Something else has changed the URL: the Back button, a preset or a cleared filter.
    if (sent !== value) setText(value)
  }
  return { text, setText, setSent }
}

/**
 * While somebody types the year 2026, the field has dates in the years 2, 20 and 202. These dates do not change the URL.
 * Only a plausible day or an empty field changes the URL.
 */
function FilterDay({ label, day, onDay, min, max }: FilterDayProps) {
  const { text, setText, setSent } = useTextOfAddress(day)
  const onText = (typed: string) => {
    setText(typed)
    if (typed !== '' && parseDay(typed) === undefined) return
    setSent(typed)
    onDay(typed)
  }
  return <DayField label={label} value={text} min={min} max={max} onText={onText} />
}

/** Every change goes back to the first page. */
function useFilterChange(): (change: FilterChange) => void {
  const navigate = useNavigate()
  return (change) => {
    void navigate({
      to: '.',
      search: ({ page: _page, row: _row, ...rest }) => {
        const filled = Object.entries({ ...rest, ...change }).filter(([, value]) => value !== '')
        return Object.fromEntries(filled)
      },
      // Typing in the search field adds no history entries.
      replace: Object.keys(change).join('') === 'q',
    })
  }
}

function DayButtons({ onRange }: { onRange: (change: FilterChange) => void }) {
  const { filters } = words().payments
  const { timeZone } = useAccount()
  const ranges = [
    { label: filters.today, toFrom: (today: string) => today },
    { label: filters.week, toFrom: (today: string) => addDays(today, -6) },
    { label: filters.month, toFrom: (today: string) => `${today.slice(0, 8)}01` },
  ]
  // The day is read when a button is pressed, because the page may be open past midnight.
  const choose = (toFrom: (today: string) => string) => {
    const today = toDay(Date.now(), timeZone)
    onRange({ from: toFrom(today), to: today })
  }
  return ranges.map(({ label, toFrom }) => (
    <Button key={label} small onClick={() => choose(toFrom)}>
      {label}
    </Button>
  ))
}

function SearchField({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const { filters } = words().payments
  const { text, setText, setSent } = useTextOfAddress(value)
  useEffect(() => {
    const q = text.trim()
    if (q === value) return
    const timer = setTimeout(() => {
      setSent(q)
      onSearch(q)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
    // `onSearch` is a new function at every render, so the effect does not depend on it.
  }, [text, value])
  return (
    <Field
      className="flex-1"
      label={filters.search}
      type="search"
      value={text}
      onText={setText}
      placeholder={filters.searchHint}
      maxLength={SEARCH_MAX}
    />
  )
}
