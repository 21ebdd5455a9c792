import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FailuresView, FirstStepsView, Mode, ProjectsTodayView, StatsView } from '@pazar/contract'
import { locale } from '../ui/language.ts'
import { DismissedError } from './api-error.ts'
import { call } from './call.ts'
import type { DeliveryList } from './deliveries.ts'
import { queryClient } from './session.ts'

export type Stats = StatsView
export type Bar = StatsView['series'][number]
export type Cause = FailuresView['causes'][number]

const toBasePath = (projectId: string) => `/portal/api/projects/${projectId}`

/** Adds the fields of refunds and disputes if they are missing. A replica of the previous release does not send them. */
function withRefundsAndDisputes<T extends { volume: string }>(counts: T): T {
  return { refunds: 0, refunded: '0', disputes: 0, disputed: '0', net: counts.volume, ...counts }
}

export function useStats(projectId: string, mode: Mode, range: { from: string; to: string }) {
  return useQuery({
    queryKey: ['stats', projectId, mode, range],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ ...range, mode }).toString()
      const stats = await call<StatsView>(`${toBasePath(projectId)}/stats?${query}`, undefined, { signal })
      return {
        ...withRefundsAndDisputes(stats),
        // A replica of the previous release does not send this field.
        inReview: (stats as Partial<StatsView>).inReview ?? 0,
        series: stats.series.map(withRefundsAndDisputes),
      }
    },
    // While other days load, the previous days stay on the page, if they are of the same project and mode.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === projectId && query.queryKey[2] === mode ? previous : undefined,
  })
}

export function useToday() {
  return useQuery({
    queryKey: ['today'],
    queryFn: ({ signal }) => call<ProjectsTodayView>('/portal/api/projects/today', undefined, { signal }),
    select: ({ projects }) => new Map(projects.map((one) => [one.projectId, one])),
  })
}

const STEPS_POLL_MS = 10_000

function toFirstStepsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['first-steps', projectId],
    queryFn: ({ signal }) =>
      call<FirstStepsView>(`${toBasePath(projectId)}/first-steps`, undefined, { signal }),
  })
}

/**
 * `live` if a live payment of the project has succeeded, otherwise `test`. Null: the request failed. The overview
 * reads the same response from the cache.
 */
export async function findOpeningMode(projectId: string): Promise<Mode | null> {
  try {
    const { live } = await queryClient.ensureQueryData({ ...toFirstStepsQuery(projectId), retry: false })
    return live ? 'live' : 'test'
  } catch {
    // The page makes its own request and shows the error.
    return null
  }
}

/** Polls until all steps are done, because they happen outside the portal. */
export function useFirstSteps(projectId: string) {
  return useQuery({
    ...toFirstStepsQuery(projectId),
    refetchInterval: ({ state }) => {
      const isFinished = state.data && Object.values(state.data).every(Boolean)
      // A timer must not reopen the sign-in dialog that the user closed.
      return isFinished || state.error instanceof DismissedError ? false : STEPS_POLL_MS
    },
  })
}

export function useFailures(projectId: string, mode: Mode) {
  return useQuery({
    queryKey: ['failures', projectId, mode, locale],
    queryFn: ({ signal }) => readFailures(projectId, mode, signal),
  })
}

async function readFailures(projectId: string, mode: Mode, signal: AbortSignal) {
  const view = await call<FailuresView>(`${toBasePath(projectId)}/failures?mode=${mode}`, undefined, {
    signal,
  })
  const outcomes = [...new Set(view.causes.map(({ outcome }) => outcome))]
  const retried = await Promise.all(
    outcomes.map((outcome) => hasRetries(projectId, { mode, outcome, from: view.since }, signal)),
  )
  return { ...view, isRetried: retried.includes(true) }
}

/**
 * True if a callback with this outcome waits for a retry. Also true if the request fails. Otherwise the page could say
 * that all callbacks were given up, although some will be retried.
 */
async function hasRetries(
  projectId: string,
  filter: { mode: Mode; outcome: string; from: string },
  signal: AbortSignal,
): Promise<boolean> {
  const query = new URLSearchParams({ ...filter, status: 'pending', limit: '1' })
  try {
    const path = `${toBasePath(projectId)}/deliveries?${query}`
    return (await call<DeliveryList>(path, undefined, { signal })).items.length > 0
  } catch {
    return true
  }
}
