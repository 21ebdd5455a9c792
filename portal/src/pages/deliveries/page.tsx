// The delivery log: every callback with its response, and a button to resend the callback.
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePermissions } from '../../api/members.ts'
import { toDeliveryCsvUrl, useDeliveries } from '../../api/deliveries.ts'
import type { DeliveryFilter } from '../../api/deliveries.ts'
import { toInstants } from '../../api/days.ts'
import { useProject } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { DownloadLink } from '../../parts/download-link.tsx'
import { classNames } from '../../ui/class-names.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { isFiltered, keepOfferedFilters, parseListSearch } from '../../parts/search.ts'
import type { ListSearch } from '../../parts/search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Filters } from '../../parts/list-filters.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import {
  DELIVERY_COLUMNS,
  DeliveryTable,
  toDeliveryColumnNames,
} from '../../parts/deliveries/delivery-table.tsx'
import type { DeliveryColumn } from '../../parts/deliveries/delivery-table.tsx'
import { FailureCauses } from '../../parts/deliveries/failure-causes.tsx'
import { useTestCallback } from '../../parts/deliveries/test-callback.tsx'
import { ModeTag } from '../../parts/mode-tag.tsx'
import { ColumnChoice, SavedViews } from '../../parts/table-tools.tsx'
import { useColumns } from '../../parts/table-views.ts'
import { useIsPhone } from '../../ui/use-phone.ts'
import { useNewDeliveries } from './use-new-deliveries.ts'

const PER_PAGE = 25

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/deliveries' })
  return <Deliveries key={id} id={id} />
}

// Why this is long: it contains all parts of one page.
function Deliveries({ id }: { id: string }) {
  const { deliveries } = words()
  const search = keepOfferedFilters(parseListSearch(useSearch({ from: '/framed/projects/$id/deliveries' })), {
    states: deliveries.statuses,
    outcomes: deliveries.outcomes,
  })
  const mode = useMode()
  const { timeZone } = useAccount()
  const { data: project } = useProject(id)
  const may = usePermissions(id)
  const testCallback = useTestCallback(id, mode === 'live' ? 'second' : 'main')
  const filter: DeliveryFilter = {
    mode,
    ...(search.status ? { status: search.status } : {}),
    ...(search.outcome ? { outcome: search.outcome } : {}),
    ...(search.q ? { q: search.q } : {}),
    ...toInstants(search, timeZone),
    // Callbacks that a search finds are always sorted by their order ID.
    ...(search.order && !search.q ? { order: search.order } : {}),
  }
  const list = useDeliveries(id, filter, PER_PAGE)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const added = useNewDeliveries(id, filter, items, search.row)
  const columns = useColumns('deliveries', DELIVERY_COLUMNS, DELIVERY_COLUMNS)
  const hasFilters = isFiltered(search)
  const hasNone = list.data !== undefined && items.length === 0 && !list.hasNextPage
  // An empty list needs no search, no choice of columns and no saved views.
  const isEmpty = hasNone && !hasFilters
  const testControls = may('operate') && testCallback.controls
  const isAtEnd = useIsPhone() && !isEmpty
  const headControls = !isEmpty && testControls && (
    // While the list loads, the controls keep their place but cannot be pressed.
    <div className={classNames('flex grow flex-wrap gap-2 max-sm:*:grow', list.isPending && 'invisible')}>
      {testControls}
    </div>
  )
  return (
    <>
      <PageHead title={deliveries.title} text={deliveries.purpose} within={[project?.name, toModeName(mode)]}>
        {!isAtEnd && headControls}
      </PageHead>
      {!isAtEnd && testCallback.outcome}
      <FailureCauses
        projectId={id}
        isFiltered={hasFilters}
        oldestShown={
          search.status === 'exhausted' ? items.map(({ createdAt }) => createdAt).toSorted()[0] : undefined
        }
        hasOlder={(since) => items.some((item) => item.status === 'exhausted' && item.createdAt < since)}
      />
      {!isEmpty && (
        <Filters
          search={search}
          sortable={!search.q}
          states={{
            label: deliveries.filters.status,
            all: deliveries.filters.any,
            names: { ...deliveries.statuses, pending: deliveries.filters.pending },
          }}
          outcomes={{
            label: deliveries.filters.outcome,
            all: deliveries.filters.anyOutcome,
            names: deliveries.outcomes,
          }}
        />
      )}
      {list.error && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton rows={10} height="h-11" />}
      {list.data && (
        <ListTools
          projectId={id}
          search={search}
          columns={columns}
          count={items.length}
          hasMore={list.hasNextPage}
          added={added.count}
          csvUrl={items.length > 0 && may('money') ? toDeliveryCsvUrl(id, filter) : null}
          isEmpty={isEmpty}
          onShowAdded={() => {
            added.reset()
            void list.refetch()
          }}
        />
      )}
      {hasNone && <EmptyList filtered={hasFilters} testControls={testControls} />}
      {items.length > 0 && (
        <DeliveryTable
          items={items}
          columns={columns.shown}
          order={search.q ? undefined : (search.order ?? 'newest')}
        />
      )}
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {search.order && !search.q ? deliveries.moreNewer : deliveries.more}
          </Button>
        </div>
      )}
      {isAtEnd && (
        <>
          {headControls}
          {testCallback.outcome}
        </>
      )}
      {search.row && <DeliveryDrawer projectId={id} callbackId={search.row} />}
    </>
  )
}

interface ListToolsProps {
  projectId: string
  search: ListSearch
  columns: { shown: readonly DeliveryColumn[]; choose: (columns: readonly DeliveryColumn[] | null) => void }
  /** How many rows are shown. The service does not count the rest. */
  count: number
  hasMore: boolean
  added: number
  onShowAdded: () => void
  csvUrl: string | null
  isEmpty: boolean
}

function ListTools(props: ListToolsProps) {
  const { projectId, search, columns, count, hasMore, added, onShowAdded, csvUrl, isEmpty } = props
  const { deliveries } = words()
  return (
    <div className="relative -my-2 flex flex-wrap items-center justify-between gap-2">
      <div className="flex min-h-9 flex-wrap items-center gap-3 text-sm text-muted">
        <ModeTag />
        {!isEmpty && <p role="status">{hasMore ? deliveries.totalOver(count) : deliveries.total(count)}</p>}
        <div role="status">
          {added > 0 && (
            <Button small onClick={onShowAdded}>
              {words().frame.newRows(added)}
            </Button>
          )}
        </div>
      </div>
      {!isEmpty && (
        <div className="flex flex-wrap gap-2">
          <SavedViews table="deliveries" projectId={projectId} search={search} />
          <ColumnChoice
            names={toDeliveryColumnNames()}
            columns={DELIVERY_COLUMNS}
            shown={columns.shown}
            onChoose={columns.choose}
          />
          {csvUrl && (
            <DownloadLink small href={csvUrl}>
              {words().payments.csv}
            </DownloadLink>
          )}
        </div>
      )}
    </div>
  )
}

function EmptyList({ filtered, testControls }: { filtered: boolean; testControls: ReactNode }) {
  const { deliveries, payments } = words()
  const { id } = useParams({ from: '/framed/projects/$id/deliveries' })
  const mode = useMode()
  const may = usePermissions(id)
  if (filtered) return <Empty title={deliveries.noneTitle} text={deliveries.noneText} />
  return (
    <Empty title={deliveries.emptyTitle} text={deliveries.emptyText}>
      {testControls}
      {may('operate') && (
        <Link to="/projects/$id/link" params={{ id }} search={{ mode }} className={buttonClass()}>
          {payments.emptyAction}
        </Link>
      )}
    </Empty>
  )
}
