import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber } from '@pazar/words'
import { usePermissions } from '../../api/members.ts'
import { toInstants } from '../../api/days.ts'
import { useProject } from '../../api/projects.ts'
import { queryClient, useAccount } from '../../api/session.ts'
import { useTransactions } from '../../api/transactions.ts'
import type { TransactionList, TransactionFilter } from '../../api/transactions.ts'
import { DownloadLink } from '../../parts/download-link.tsx'
import { locale, words } from '../../ui/language.ts'
import { ModeTag } from '../../parts/mode-tag.tsx'
import { toModeName, useMode } from '../../parts/mode.ts'
import {
  isFiltered,
  keepOfferedFilters,
  parseListSearch,
  parseMoneyBack,
  parseState,
} from '../../parts/search.ts'
import type { ListSearch } from '../../parts/search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Filters } from '../../parts/list-filters.tsx'
import { EmptyList } from './empty-list.tsx'
import { parseReview } from './parse-review.ts'
import { toStateChoice } from './state-choice.ts'
import { TransactionDrawer } from './transaction-drawer.tsx'
import {
  INITIAL_TRANSACTION_COLUMNS,
  TRANSACTION_COLUMNS,
  TransactionTable,
} from '../../parts/transactions/transaction-table.tsx'
import { ColumnChoice, SavedViews } from '../../parts/table-tools.tsx'
import { useColumns } from '../../parts/table-views.ts'
import { useNewTransactions } from './use-new-transactions.ts'

const PER_PAGE = 20

function toFilter(
  projectId: string,
  mode: 'live' | 'test',
  search: ListSearch,
  timeZone: string,
): TransactionFilter {
  const state = parseState(search.status)
  const moneyBack = parseMoneyBack(search.status)
  const needsReview = parseReview(search.status)
  return {
    projectId,
    mode,
    ...(state ? { state } : {}),
    ...(moneyBack ? { [moneyBack]: true } : {}),
    ...(needsReview === undefined ? {} : { needsReview }),
    ...(search.q ? { q: search.q } : {}),
    ...toInstants(search, timeZone),
    ...(search.order ? { order: search.order } : {}),
    page: search.page ?? 1,
    limit: PER_PAGE,
  }
}

function toCsvUrl({ projectId, page: _page, limit: _limit, ...filters }: TransactionFilter): string {
  const entries = Object.entries({ ...filters, lang: locale }).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(entries)
  return `/portal/api/projects/${projectId}/transactions.csv?${query.toString()}`
}

export function Page() {
  const { payments } = words()
  const { id } = useParams({ from: '/framed/projects/$id/transactions' })
  const stateChoice = toStateChoice()
  const search = keepOfferedFilters(
    parseListSearch(useSearch({ from: '/framed/projects/$id/transactions' })),
    { states: stateChoice.names },
  )
  const mode = useMode()
  const may = usePermissions(id)
  const { timeZone } = useAccount()
  const { data: project } = useProject(id)
  const filter = toFilter(id, mode, search, timeZone)
  const list = useTransactions(filter)
  const { data } = list
  const hasFilters = isFiltered(search)
  // An empty list needs no search, no choice of columns and no saved views.
  const isEmpty = data?.total === 0 && !hasFilters && !list.isPlaceholderData
  const columns = useColumns('transactions', TRANSACTION_COLUMNS, INITIAL_TRANSACTION_COLUMNS)
  return (
    <>
      <PageHead title={payments.title} text={payments.purpose} within={[project?.name, toModeName(mode)]} />
      {!isEmpty && <Filters search={search} states={stateChoice} sortable />}
      {list.error && (
        <StaleNotice error={list.error} atMs={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Skeleton rows={10} height="h-11" />}
      {data && (
        <>
          <div className="relative -my-2 flex flex-wrap items-center justify-between gap-2">
            <Totals list={data}>
              <DisputedChip projectId={id} isOn={search.status === 'disputed'} />
              {!list.isPlaceholderData && <NewRows filter={filter} list={data} />}
            </Totals>
            {!isEmpty && (
              <div className="flex flex-wrap gap-2">
                <SavedViews table="transactions" projectId={id} search={search} />
                {data.total > 0 && (
                  <ColumnChoice
                    names={payments.columns}
                    columns={TRANSACTION_COLUMNS}
                    shown={columns.shown}
                    onChoose={columns.choose}
                  />
                )}
                {data.total > 0 && may('money') && (
                  <DownloadLink small href={toCsvUrl(filter)}>
                    {payments.csv}
                  </DownloadLink>
                )}
              </div>
            )}
          </div>
          {data.items.length === 0 ? (
            <EmptyList filtered={hasFilters} />
          ) : (
            <TransactionTable items={data.items} columns={columns.shown} order={search.order ?? 'newest'} />
          )}
          <Pages list={data} />
        </>
      )}
      {search.row && (
        <TransactionDrawer
          // Without the key, an open refund dialog would stay open when the command menu opens another payment.
          key={search.row}
          projectId={id}
          id={search.row}
          listRow={data?.items.find((item) => item.id === search.row)}
        />
      )}
    </>
  )
}

/** After a failed reload, the rows of the last response can still be read. */
function StaleNotice({ error, atMs, onRetry }: { error: unknown; atMs: number; onRetry: () => void }) {
  const { timeZone } = useAccount()
  return (
    <div className="grid gap-2">
      <Failed error={error} onRetry={onRetry} />
      {atMs > 0 && (
        <p className="text-sm text-muted">
          {words().frame.shownFrom(formatDateTime(locale, new Date(atMs), timeZone))}
        </p>
      )}
    </div>
  )
}

function Totals({ list, children }: { list: TransactionList; children: ReactNode }) {
  const { payments } = words()
  const { total, totalExact } = list
  const { timeZone } = useAccount()
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 text-sm text-muted">
      <ModeTag />
      <p role="status">{totalExact ? payments.total(total) : payments.totalOver(total)}</p>
      {total > 0 && (
        <p className="max-md:hidden">
          {payments.columns.time}: {timeZone.replaceAll('_', ' ')}
        </p>
      )}
      {children}
    </div>
  )
}

/** Links to the project's disputed payments of all days, and shows how many there are. An index makes this count quick. */
function DisputedChip({ projectId, isOn }: { projectId: string; isOn: boolean }) {
  const mode = useMode()
  const { data } = useTransactions({ projectId, mode, disputed: true, limit: 1 }, !isOn)
  if (isOn || !data || data.total === 0) return null
  const { moneyBack } = words().payments
  return (
    <Link
      to="/projects/$id/transactions"
      params={{ id: projectId }}
      search={{ mode, status: 'disputed' }}
      className={buttonClass('second', true)}
    >
      <Scale aria-hidden className="size-4 text-warn" />
      {moneyBack.disputed} ({formatNumber(locale, data.total)})
    </Link>
  )
}

/** The list must match the filter, because the totals of different filters cannot be compared. */
function NewRows({ filter, list }: { filter: TransactionFilter; list: TransactionList }) {
  const { frame } = words()
  const { count, isAtLeast } = useNewTransactions(filter, list)
  if (count <= 0) return null
  return (
    <Button small onClick={() => void queryClient.invalidateQueries({ queryKey: ['transactions'] })}>
      {isAtLeast ? frame.newRowsOver(count) : frame.newRows(count)}
    </Button>
  )
}

/** "21–40 of 128", or the number of the page if the page is empty or the total is not known. */
function toPageText({ items, page, limit, total, totalExact }: TransactionList): string {
  const { payments } = words()
  const offset = (page - 1) * limit
  return totalExact && items.length > 0
    ? payments.range(offset + 1, offset + items.length, total)
    : payments.page(page)
}

function Pages({ list }: { list: TransactionList }) {
  const { page, hasMore } = list
  const { frame, payments } = words()
  const navigate = useNavigate({ from: '/projects/$id/transactions' })
  if (page === 1 && !hasMore) return null
  const goToPage = (target: number) => {
    void navigate({
      search: ({ row: _row, page: _page, ...rest }) => (target === 1 ? rest : { ...rest, page: target }),
    })
  }
  return (
    <nav aria-label={payments.page(page)} className="flex flex-wrap items-center gap-3">
      <Button small disabled={page === 1} onClick={() => goToPage(page - 1)}>
        {frame.previous}
      </Button>
      <span className="text-sm text-muted tabular-nums">{toPageText(list)}</span>
      <Button small disabled={!hasMore} onClick={() => goToPage(page + 1)}>
        {frame.next}
      </Button>
    </nav>
  )
}
