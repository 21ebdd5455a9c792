// Seven, thirty or ninety days, or from a first to a last one. The choice stands in the address.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { DayField } from '../../app/day-field.tsx'
import { useDraft } from '../../app/drafts.ts'
import { words } from '../../app/language.ts'
import { parseRangeSearch } from '../../app/search.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError } from '../../ui/field.tsx'
import { DAYS_CHOICES, DAYS_MAX, DAYS_USUAL, isAllowed } from './range.ts'
import type { Days } from './range.ts'

const CHOICE = 'flex min-h-9 items-center rounded-control px-3 text-sm font-medium'
// The line is for forced colours, which take the background away.
const CHOSEN = 'bg-accent text-on-accent forced-colors:underline'

export function RangeChoice({ shown }: { shown: Days }) {
  const { range } = words().figures
  const search = parseRangeSearch(useSearch({ strict: false }))
  const isOther = search.from !== undefined
  const [open, setOpen] = useState(isOther)
  const panel = useId()
  return (
    <div className="grid gap-3">
      <nav aria-label={range.label} className="flex flex-wrap gap-1">
        {DAYS_CHOICES.map((days) => {
          const chosen = !isOther && (search.days ?? DAYS_USUAL) === days
          return (
            <Link
              key={days}
              to="."
              search={({ from: _from, to: _to, days: _days, ...kept }) =>
                days === DAYS_USUAL ? kept : { ...kept, days }
              }
              resetScroll={false}
              aria-current={chosen ? 'true' : undefined}
              className={classNames(CHOICE, chosen ? CHOSEN : 'hover:bg-surface')}
            >
              {range.last(days)}
            </Link>
          )
        })}
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? panel : undefined}
          onClick={() => setOpen(!open)}
          className={classNames(CHOICE, isOther ? CHOSEN : 'hover:bg-surface')}
        >
          {range.other}
        </button>
      </nav>
      {open && (
        <div id={panel}>
          <OtherPeriod shown={shown} />
        </div>
      )}
    </div>
  )
}

function OtherPeriod({ shown }: { shown: Days }) {
  const { range } = words().figures
  const navigate = useNavigate()
  const { values: days, set, done } = useDraft('figures-days', shown)
  const [wrong, setWrong] = useState(false)
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(!isAllowed(days))
        if (!isAllowed(days)) return
        done(days)
        void navigate({
          to: '.',
          search: ({ days: _days, ...kept }) => ({ ...kept, ...days }),
          resetScroll: false,
        })
      }}
    >
      <div className="flex flex-wrap items-start gap-3 lg:justify-end">
        <DayField
          label={range.from}
          value={days.from}
          onText={(from) => set({ from })}
          className="flex-1 basis-36 sm:flex-none"
        />
        <DayField
          label={range.to}
          value={days.to}
          onText={(to) => set({ to })}
          className="flex-1 basis-36 sm:flex-none"
        />
        {/* Beside the fields, not beside what stands below them. */}
        <Button type="submit" className="sm:mt-6.5">
          {range.show}
        </Button>
      </div>
      {wrong && <FieldError text={range.wrong(DAYS_MAX)} />}
    </form>
  )
}
