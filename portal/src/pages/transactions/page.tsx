// The project's payments: filters in the address, one page of them, and the one that is looked at.
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDateTime } from '@pazar/words'
import { toInstants } from '../../api/days.ts'
import { useProject } from '../../api/projects.ts'
import { queryClient, useAccount } from '../../api/session.ts'
import { useTransactions } from '../../api/transactions.ts'
import type { TransactionList, TransactionWish } from '../../api/transactions.ts'
import { DownloadLink } from '../../app/download-link.tsx'
import { locale, words } from '../../app/language.ts'
import { modeName, useMode } from '../../app/mode.tsx'
import { parseListSearch, parseState } from '../../app/search.ts'
import type { ListSearch } from '../../app/search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Filters } from './filters.tsx'
import { TransactionDrawer } from './transaction-drawer.tsx'
import { TransactionTable } from './transaction-table.tsx'
import { useNewTransactions } from './use-new-transactions.ts'

const PER_PAGE = 20

function toWish(
  projectId: string,
  mode: 'live' | 'test',
  search: ListSearch,
  timeZone: string,
): TransactionWish {
  const state = parseState(search.status)
  return {
    projectId,
    mode,
    ...(state ? { state } : {}),
    ...(search.q ? { q: search.q } : {}),
    ...toInstants(search, timeZone),
    page: search.page ?? 1,
    limit: PER_PAGE,
  }
}

function toCsvAddress({ projectId, page: _page, limit: _limit, ...filters }: TransactionWish): string {
  const query = new URLSearchParams({ ...filters, lang: locale })
  return `/portal/api/projects/${projectId}/transactions.csv?${query.toString()}`
}

export function Page() {
  const { payments } = words()
  const { id } = useParams({ from: '/framed/projects/$id/transactions' })
  const search = parseListSearch(useSearch({ from: '/framed/projects/$id/transactions' }))
  const mode = useMode()
  const { timeZone } = useAccount()
  const { data: project } = useProject(id)
  const wish = toWish(id, mode, search, timeZone)
  const list = useTransactions(wish)
  const { data } = list
  return (
    <>
      <PageHead title={payments.title} within={[project?.name, modeName(mode)]}>
        {data && data.total > 0 && <DownloadLink href={toCsvAddress(wish)}>{payments.csv}</DownloadLink>}
      </PageHead>
      <Filters search={search} />
      {list.error && (
        <StaleNotice error={list.error} atMs={list.dataUpdatedAt} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Skeleton rows={10} height="h-11" />}
      {data && (
        <>
          <Totals list={data}>{!list.isPlaceholderData && <NewRows wish={wish} list={data} />}</Totals>
          {data.items.length === 0 ? (
            <Nothing filtered={Boolean(search.q ?? search.status ?? search.from ?? search.to)} />
          ) : (
            <TransactionTable items={data.items} />
          )}
          <Pages page={data.page} hasMore={data.hasMore} />
        </>
      )}
      {search.row && (
        <TransactionDrawer
          projectId={id}
          id={search.row}
          known={data?.items.find((item) => item.id === search.row)}
        />
      )}
    </>
  )
}

/** Old rows stay readable when a new answer does not come. */
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
  return (
    <div className="-my-2 flex min-h-9 flex-wrap items-center gap-3 text-sm text-muted">
      <p role="status">{totalExact ? payments.total(total) : payments.totalOver(total)}</p>
      {children}
    </div>
  )
}

/** Only beside a list that answers this very question: with another's it could not be compared. */
function NewRows({ wish, list }: { wish: TransactionWish; list: TransactionList }) {
  const { frame } = words()
  const { count, isMore } = useNewTransactions(wish, list)
  if (count <= 0) return null
  return (
    <Button small onClick={() => void queryClient.invalidateQueries({ queryKey: ['transactions'] })}>
      {isMore ? frame.newRowsOver(count) : frame.newRows(count)}
    </Button>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { payments } = words()
  const { id } = useParams({ from: '/framed/projects/$id/transactions' })
  const mode = useMode()
  if (filtered) return <Empty title={payments.noneTitle} text={payments.noneText} />
  return (
    <Empty title={payments.emptyTitle} text={payments.emptyText}>
      <Link to="/projects/$id/link" params={{ id }} search={{ mode }} className={buttonClass('main')}>
        {payments.emptyAction}
      </Link>
    </Empty>
  )
}

function Pages({ page, hasMore }: { page: number; hasMore: boolean }) {
  const { frame, payments } = words()
  const navigate = useNavigate({ from: '/projects/$id/transactions' })
  if (page === 1 && !hasMore) return null
  const go = (to: number) => {
    void navigate({
      search: ({ row: _row, page: _page, ...kept }) => (to === 1 ? kept : { ...kept, page: to }),
    })
  }
  return (
    <nav aria-label={payments.page(page)} className="flex flex-wrap items-center gap-3">
      <Button small disabled={page === 1} onClick={() => go(page - 1)}>
        {frame.previous}
      </Button>
      <span className="text-sm text-muted">{payments.page(page)}</span>
      <Button small disabled={!hasMore} onClick={() => go(page + 1)}>
        {frame.next}
      </Button>
    </nav>
  )
}
