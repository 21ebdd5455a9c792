import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { StatementView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { useProject } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { listCurrencies, toStatementCsvUrl, useStatement } from '../../api/statement.ts'
import { DownloadLink } from '../../parts/download-link.tsx'
import { Failed } from '../../parts/failed.tsx'
import { toModeName, useMode } from '../../parts/mode.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { parseMonthSearch } from '../../parts/search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Choice } from '../../ui/field.tsx'
import { useIsPhone } from '../../ui/use-phone.ts'
import { locale, words } from '../../ui/language.ts'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { DayTable } from './day-table.tsx'
import { toMonthName } from './month-name.ts'
import { listMonths, toMonth } from './months.ts'
import { Totals } from './totals.tsx'

export function Page() {
  const { statement } = words()
  const { id } = useParams({ from: '/framed/projects/$id/statement' })
  const navigate = useNavigate({ from: '/projects/$id/statement' })
  const search = parseMonthSearch(useSearch({ from: '/framed/projects/$id/statement' }))
  const mode = useMode()
  const account = useAccount()
  const { data: project } = useProject(id)
  const current = toMonth(Date.now(), project?.timeZone ?? account.timeZone)
  const month = search.month ?? current
  const choice = { month, mode, currency: search.currency }
  const { data: latest, error, refetch, isPlaceholderData } = useStatement(id, choice)
  const data = isPlaceholderData ? undefined : latest
  const currencies = latest ? listCurrencies(latest) : []
  const otherCurrencies = currencies.filter((currency) => currency !== data?.currency)
  const isPhone = useIsPhone()
  const actions = (
    // A month without entries has nothing to print, so the buttons are hidden. While a month loads, they are shown.
    <div
      className={classNames(
        'flex flex-wrap gap-2',
        data && !data.days.some(hasEntries) && 'invisible max-sm:hidden',
      )}
      data-screen
    >
      <Button onClick={() => window.print()}>
        <Printer aria-hidden className="size-4" />
        {statement.print}
      </Button>
      <DownloadLink href={toStatementCsvUrl(id, choice)}>{statement.csv}</DownloadLink>
    </div>
  )
  return (
    <>
      <PageHead
        title={statement.title}
        text={statement.purpose}
        within={[toMonthName(month), project?.name, toModeName(mode)]}
      >
        {!isPhone && actions}
      </PageHead>
      <p className="-mt-4 max-w-prose text-sm text-muted">
        <strong className="font-medium text-ink">{statement.fees}</strong>
        {data && ` ${statement.zone(data.timeZone)}`}
        {data && otherCurrencies.length > 0 && ` ${statement.otherCurrencies(otherCurrencies.join(', '))}`}
      </p>
      <p className="hidden text-lg print:block">
        {[toMonthName(month), project?.name, toModeName(mode)].join(' · ')}
      </p>
      <MonthChoice
        month={month}
        months={listMonths(current, month)}
        onChoice={(value) =>
          // The chosen currency may be missing in another month.
          void navigate({ search: ({ currency: _currency, ...rest }) => ({ ...rest, month: value }) })
        }
      />
      {currencies.length > 1 && (
        <div data-screen className="max-w-96">
          <Choice
            label={statement.currency}
            value={search.currency ?? latest?.currency ?? ''}
            options={currencies.map((value) => ({ value, label: value }))}
            onChoice={(value) => void navigate({ search: (current) => ({ ...current, currency: value }) })}
          />
        </div>
      )}
      {isPhone && actions}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} height="h-20" />}
      {data && <Statement data={data} />}
    </>
  )
}

interface MonthChoiceProps {
  month: string
  /** Newest first. */
  months: readonly string[]
  onChoice: (month: string) => void
}

function MonthChoice({ month, months, onChoice }: MonthChoiceProps) {
  const { statement } = words()
  const renderStep = (to: string | undefined, label: string, Icon: LucideIcon) => (
    <Button
      aria-label={label}
      title={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onChoice(to)}
      className="px-3!"
    >
      <Icon aria-hidden className="size-5" />
    </Button>
  )
  const index = months.indexOf(month)
  return (
    <div data-screen className="flex max-w-96 items-end gap-2">
      <Choice
        label={statement.month}
        value={month}
        options={months.map((value) => ({ value, label: toMonthName(value) }))}
        onChoice={onChoice}
        className="flex-1"
      />
      {renderStep(months[index + 1], statement.previous, ChevronLeft)}
      {renderStep(months[index - 1], statement.next, ChevronRight)}
    </div>
  )
}

function Statement({ data }: { data: StatementView }) {
  const { statement } = words()
  const { id } = useParams({ from: '/framed/projects/$id/statement' })
  const mode = useMode()
  const may = usePermissions(id)
  const days = data.days.filter(hasEntries)
  return (
    <>
      {days.length === 0 ? (
        <Empty title={statement.emptyTitle} text={statement.emptyText}>
          {may('operate') && (
            <Link to="/projects/$id/link" params={{ id }} search={{ mode }} className={buttonClass()}>
              {words().payments.emptyAction}
            </Link>
          )}
        </Empty>
      ) : (
        <>
          <Totals statement={data} />
          <DayTable statement={data} days={days} />
        </>
      )}
      <p className="max-w-prose text-sm text-muted">
        {days.length > 0 && `${statement.quietDays} `}
        <a
          href={`/${locale}/docs/statement`}
          className="text-accent underline underline-offset-4"
          data-screen
        >
          {statement.more}
        </a>
      </p>
    </>
  )
}

function hasEntries({ payments, gross, refunds, returned, disputes }: StatementView['totals']): boolean {
  return payments !== 0 || [gross, refunds, returned, disputes].some((sum) => sum !== '0')
}
