import { STATS_DAYS_MAX } from '@pazar/contract/limits'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { DayField } from '../../parts/day-field.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'
import { parseRangeSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError } from '../../ui/field.tsx'
import { DAYS_CHOICES, DAYS_DEFAULT, isAllowed } from './range.ts'
import type { Days } from './range.ts'

const CHOICE =
  'flex min-h-9 items-center rounded-control px-3 text-sm font-medium whitespace-nowrap max-sm:px-2'
// The underline is for forced colours, which remove the background.
const CHOSEN = 'bg-accent text-on-accent forced-colors:underline'

export function RangeChoice({ shown }: { shown: Days }) {
  const { range } = words().metrics
  const search = parseRangeSearch(useSearch({ strict: false }))
  const isCustom = search.from !== undefined
  const [open, setOpen] = useState(isCustom)
  const [wasCustom, setWasCustom] = useState(isCustom)
  if (wasCustom !== isCustom) {
    setWasCustom(isCustom)
    setOpen(isCustom)
  }
  const panel = useId()
  return (
    <div className="grid gap-3">
      <nav aria-label={range.label} className="flex flex-wrap gap-1">
        {DAYS_CHOICES.map((days) => {
          const chosen = !isCustom && (search.days ?? DAYS_DEFAULT) === days
          return (
            <Link
              key={days}
              to="."
              search={({ from: _from, to: _to, days: _days, ...rest }) =>
                days === DAYS_DEFAULT ? rest : { ...rest, days }
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
          className={classNames(CHOICE, isCustom ? CHOSEN : 'hover:bg-surface')}
        >
          {range.other}
        </button>
      </nav>
      {open && (
        <div id={panel}>
          <CustomRange shown={shown} />
        </div>
      )}
    </div>
  )
}

function CustomRange({ shown }: { shown: Days }) {
  const { range } = words().metrics
  const navigate = useNavigate()
  const { values: days, set, resetTo, follow } = useDraft('stats-days', shown)
  const [isWrong, setIsWrong] = useState(false)
  const [followed, setFollowed] = useState(shown)
  if (followed.from !== shown.from || followed.to !== shown.to) {
    // The Back button or midnight has changed the days. A new form would lose the focus, so this form takes the new days.
    setFollowed(shown)
    follow(followed, shown)
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setIsWrong(!isAllowed(days))
        if (!isAllowed(days)) return
        resetTo(days)
        void navigate({
          to: '.',
          search: ({ days: _days, ...rest }) => ({ ...rest, ...days }),
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
        <Button type="submit" className="sm:mt-6.5">
          {range.show}
        </Button>
      </div>
      {isWrong && <FieldError text={range.wrong(STATS_DAYS_MAX)} />}
    </form>
  )
}
