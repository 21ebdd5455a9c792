import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type {
  CallbackEventName,
  CallbackView,
  deliveryDetail,
  deliveryList,
  Mode,
  testCallbackAnswer,
} from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { call } from './call.ts'
import { queryClient } from './session.ts'

export type DeliveryList = (typeof deliveryList)['_output']
export type Delivery = DeliveryList['items'][number]
export type DeliveryDetail = (typeof deliveryDetail)['_output']
export type TestCallbackResult = (typeof testCallbackAnswer)['_output']

export interface DeliveryFilter {
  mode: Mode
  status?: string
  outcome?: string
  q?: string
  from?: string
  to?: string
  order?: 'oldest'
}

function toQuery(filter: Record<string, string | number | undefined>): string {
  const definedEntries = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(definedEntries).toString()
}

const toBasePath = (projectId: string) => `/portal/api/projects/${projectId}/deliveries`

export function toDeliveryCsvUrl(projectId: string, filter: DeliveryFilter): string {
  return `${toBasePath(projectId)}.csv?${toQuery({ ...filter, lang: locale })}`
}

export function useDeliveries(projectId: string, filter: DeliveryFilter, limit: number) {
  return useInfiniteQuery({
    queryKey: ['deliveries', projectId, filter, limit],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = toQuery({ ...filter, limit, cursor: pageParam || undefined })
      return call<DeliveryList>(`${toBasePath(projectId)}?${query}`, undefined, { signal })
    },
    getNextPageParam: (last) => last.nextCursor,
    refetchOnWindowFocus: false,
  })
}

export function useDelivery(projectId: string, callbackId: string) {
  return useQuery({
    queryKey: ['delivery', projectId, callbackId],
    queryFn: ({ signal }) => fetchDelivery(projectId, callbackId, signal),
  })
}

function fetchDelivery(projectId: string, callbackId: string, signal?: AbortSignal): Promise<DeliveryDetail> {
  const path = `${toBasePath(projectId)}/${encodeURIComponent(callbackId)}`
  return call<DeliveryDetail>(path, undefined, signal ? { signal } : {})
}

/** Reloads one callback, and updates its row and drawer. */
export async function reloadDelivery(projectId: string, callbackId: string): Promise<void> {
  const options = { queryKey: ['delivery', projectId, callbackId], staleTime: 0 }
  const lists = { queryKey: ['deliveries', projectId] }
  // A request that is already running may return the callback as it was before the change.
  await queryClient.cancelQueries(options)
  if (queryClient.isFetching(lists) > 0) void queryClient.invalidateQueries(lists)
  const detail = await queryClient
    .fetchQuery({ ...options, queryFn: ({ signal }) => fetchDelivery(projectId, callbackId, signal) })
    // If the request fails, the row stays as it was.
    .catch(() => null)
  if (!detail) return
  const row: Delivery = { ...detail.callback, lastAttempt: detail.attempts.at(-1) ?? null }
  queryClient.setQueriesData<InfiniteData<DeliveryList>>(lists, (shown) =>
    shown === undefined
      ? undefined
      : {
          ...shown,
          pages: shown.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (item.id === callbackId ? row : item)),
          })),
        },
  )
}

/** Does not wait for the lists, because a slow list must not delay the outcome of an action. */
export function reloadDeliveries(projectId: string): void {
  const names = ['deliveries', 'delivery', 'failures', 'inbox', 'first-steps', 'transaction', 'timeline']
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name, projectId] })
  void queryClient.invalidateQueries({ queryKey: ['transactions'] })
}

/** Without `again`, a callback that was already delivered is not resent. */
export async function resend(projectId: string, callbackId: string, again: boolean): Promise<CallbackView> {
  const body = again ? { again } : {}
  const { callback } = await call<{ callback: CallbackView }>(
    `${toBasePath(projectId)}/${callbackId}/resend`,
    body,
  )
  reloadDeliveries(projectId)
  return callback
}

export async function resendFailed(projectId: string, mode: Mode, since: string): Promise<number> {
  const { count } = await call<{ count: number }>(`${toBasePath(projectId)}/resend-failed`, { since, mode })
  reloadDeliveries(projectId)
  return count
}

export async function sendTestCallback(
  projectId: string,
  data: string,
  event: CallbackEventName = 'payment.result',
): Promise<TestCallbackResult> {
  const payment = { status: 'success', amount: '1500', data, customId: `test-${Date.now()}` }
  const body = event === 'payment.result' ? payment : { event, ...payment }
  const result = await call<TestCallbackResult>(`/portal/api/projects/${projectId}/test-callbacks`, body)
  reloadDeliveries(projectId)
  return result
}
