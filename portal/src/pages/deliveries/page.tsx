// The delivery log: every callback, its response, and a button to resend it.
import { useParams, useSearch } from '@tanstack/react-router'
import { useMay } from '../../api/members.ts'
import { toDeliveryCsvUrl, useDeliveries } from '../../api/deliveries.ts'
import type { DeliveryFilter } from '../../api/deliveries.ts'
import { toInstants } from '../../api/days.ts'
import { useProject } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { DownloadLink } from '../../parts/download-link.tsx'
import { words } from '../../ui/language.ts'
import { modeName, useMode } from '../../parts/mode.ts'
import { parseListSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Filters } from '../../parts/list-filters.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryTable } from '../../parts/deliveries/delivery-table.tsx'
import { FailureCauses } from '../../parts/deliveries/failure-causes.tsx'
import { TestCallback } from '../../parts/deliveries/test-callback.tsx'
import { useNewDeliveries } from './use-new-deliveries.ts'

const PER_PAGE = 25

const STATUSES = ['pending', 'sending', 'delivered', 'exhausted', 'cancelled']

export function Page() {
  const { deliveries, payments, frame } = words()
  const { id } = useParams({ from: '/framed/projects/$id/deliveries' })
  const search = parseListSearch(useSearch({ from: '/framed/projects/$id/deliveries' }))
  const mode = useMode()
  const { timeZone } = useAccount()
  const { data: project } = useProject(id)
  const may = useMay(id)
  const filter: DeliveryFilter = {
    mode,
    ...(search.status && STATUSES.includes(search.status) ? { status: search.status } : {}),
    ...(search.outcome && search.outcome in deliveries.outcomes ? { outcome: search.outcome } : {}),
    ...(search.q ? { q: search.q } : {}),
    ...toInstants(search, timeZone),
  }
  const list = useDeliveries(id, filter, PER_PAGE)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const added = useNewDeliveries(id, filter, items)
  const isFiltered = Boolean(search.q ?? search.status ?? search.outcome ?? search.from ?? search.to)
  return (
    <>
      <PageHead title={deliveries.title} within={[project?.name, modeName(mode)]}>
        {items.length > 0 && may('money') && (
          <DownloadLink href={toDeliveryCsvUrl(id, filter)}>{payments.csv}</DownloadLink>
        )}
      </PageHead>
      {may('operate') && <TestCallback projectId={id} />}
      <FailureCauses
        projectId={id}
        oldestShown={search.status === 'exhausted' ? items.at(-1)?.createdAt : undefined}
      />
      <Filters
        search={search}
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
      {list.error && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton rows={10} height="h-11" />}
      {added.count > 0 && (
        <div role="status">
          <Button
            small
            onClick={() => {
              added.reset()
              void list.refetch()
            }}
          >
            {frame.newRows(added.count)}
          </Button>
        </div>
      )}
      {list.data && items.length === 0 && !list.hasNextPage && <EmptyList filtered={isFiltered} />}
      {items.length > 0 && <DeliveryTable items={items} />}
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {deliveries.more}
          </Button>
        </div>
      )}
      {search.row && <DeliveryDrawer projectId={id} callbackId={search.row} />}
    </>
  )
}

function EmptyList({ filtered }: { filtered: boolean }) {
  const { deliveries } = words()
  return filtered ? (
    <Empty title={deliveries.noneTitle} text={deliveries.noneText} />
  ) : (
    <Empty title={deliveries.emptyTitle} text={deliveries.emptyText} />
  )
}
