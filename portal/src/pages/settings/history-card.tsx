import { useInfiniteQuery } from '@tanstack/react-query'
import type { projectHistory } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import { call } from '../../api/call.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { toActionText, toActorText } from '../../parts/action-text.ts'
import { EntryPayment } from '../../parts/entry-payment.tsx'
import { listChanges } from './list-changes.ts'
import type { Change } from './list-changes.ts'

type History = (typeof projectHistory)['_output']
type Item = History['items'][number]

export function HistoryCard({ projectId }: { projectId: string }) {
  const { history } = words().settings
  const query = useInfiniteQuery({
    queryKey: ['history', projectId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return call<History>(`/portal/api/projects/${projectId}/history?limit=10${cursor}`, undefined, {
        signal,
      })
    },
    getNextPageParam: (last) => last.nextCursor,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Card title={history.title}>
      {query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton />}
      {query.data && items.length === 0 && <p className="text-muted">{history.empty}</p>}
      <ol className="grid divide-y divide-line">
        {items.map((item, index) => (
          <HistoryRow key={`${item.at}-${index}`} projectId={projectId} item={item} />
        ))}
      </ol>
      {query.hasNextPage && (
        <div>
          <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {history.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

function HistoryRow({ projectId, item }: { projectId: string; item: Item }) {
  const { email: ownEmail, timeZone } = useAccount()
  return (
    <li className="grid gap-1.5 py-3">
      <p className="justify-between gap-x-4 sm:flex">
        <span className="block font-strong">{toActionText(item.action)}</span>
        <span className="text-sm text-muted">
          {toActorText(item.actor, { ownEmail, person: item.person })} ·{' '}
          <span className="whitespace-nowrap">
            <Time at={item.at} />
          </span>
          <span className="whitespace-nowrap"> · {formatDateTime(locale, new Date(item.at), timeZone)}</span>
        </span>
      </p>
      <EntryPayment projectId={projectId} entry={item} />
      <dl className="grid gap-1 text-sm">
        {listChanges(item, timeZone).map((change) => (
          <ChangeRow key={change.name} change={change} />
        ))}
      </dl>
    </li>
  )
}

function ChangeRow({ change: { name, was, now, full } }: { change: Change }) {
  return (
    <div className="wrap-anywhere sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
      <dt className="text-muted max-sm:inline">
        {name}
        <span className="sm:hidden">: </span>
      </dt>
      <dd className="min-w-0 max-sm:inline">
        {was !== undefined && (
          <>
            <del className="text-muted">{was}</del> <span aria-hidden>→</span>{' '}
          </>
        )}
        {full === undefined ? (
          <ins className="no-underline">{now}</ins>
        ) : (
          <code className="font-mono" title={full}>
            {now}
          </code>
        )}
      </dd>
    </div>
  )
}
