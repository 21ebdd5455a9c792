import { useInfiniteQuery } from '@tanstack/react-query'
import type { projectHistory } from '@pazar/contract'
import { call } from '../../api/call.ts'
import { useAccount } from '../../api/session.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { toActionText, toActorText } from '../../parts/action-text.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { shorten } from '../../parts/shorten.ts'

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
          <HistoryRow key={`${item.at}-${index}`} item={item} />
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

function HistoryRow({ item }: { item: Item }) {
  const { email: ownEmail } = useAccount()
  return (
    <li className="grid gap-1 py-3">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{toActionText(item.action)}</span>
        <span className="text-sm text-muted">
          {toActorText(item.actor, { ownEmail, person: item.person })} · <Time at={item.at} />
        </span>
      </p>
      {listChanges(item.changes).map(([field, change]) => (
        <Change key={field} field={field} change={change} />
      ))}
    </li>
  )
}

/** The changed fields with their values. An amount gets its currency, and fields that are null are left out. */
function listChanges({ amount, currency, scale, ...rest }: Item['changes']): [string, unknown][] {
  const isMoney = typeof amount === 'string' && typeof currency === 'string' && typeof scale === 'number'
  const shown = isMoney ? formatAmount(amount, { currency, scale }) : amount
  return Object.entries({ ...(amount !== undefined && { amount: shown }), ...rest }).filter(
    ([, change]) => change !== null,
  )
}

function isFromTo(change: unknown): change is { from: unknown; to: unknown } {
  return typeof change === 'object' && change !== null && 'from' in change && 'to' in change
}

function toValueText(value: unknown): string {
  const { settings } = words()
  if (value === null || value === '') return settings.empty
  if (typeof value === 'boolean') return value ? settings.on : settings.off
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function FromTo({ was, now }: { was: string; now: string }) {
  // If only the middle of a long text changed, both texts would look the same when shortened.
  const toShown = shorten(was) === shorten(now) ? (text: string) => text : shorten
  return (
    <>
      <del>{toShown(was)}</del> → <ins className="text-ink no-underline">{toShown(now)}</ins>
    </>
  )
}

function Change({ field, change }: { field: string; change: unknown }) {
  const names: Record<string, string> = words().settings.fields
  return (
    <p className="text-sm text-muted wrap-anywhere">
      {names[field] ?? field}:{' '}
      {isFromTo(change) ? (
        <FromTo was={toValueText(change.from)} now={toValueText(change.to)} />
      ) : (
        <span className="text-ink">{shorten(toValueText(change))}</span>
      )}
    </p>
  )
}
