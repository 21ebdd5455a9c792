// The figures of a project, of all projects today, and how far a new one has come.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FailuresView, FirstStepsView, Mode, ProjectsTodayView, StatsView } from '@pazar/contract'
import { locale } from '../app/language.ts'
import { GivenUp } from './api-error.ts'
import { call } from './call.ts'
import { queryClient } from './session.ts'

export type Stats = StatsView
export type Bar = StatsView['series'][number]
export type Cause = FailuresView['causes'][number]

const base = (projectId: string) => `/portal/api/projects/${projectId}`

export function useStats(projectId: string, mode: Mode, range: { from: string; to: string }) {
  return useQuery({
    queryKey: ['stats', projectId, mode, range],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...range, mode }).toString()
      return call<StatsView>(`${base(projectId)}/stats?${query}`, undefined, { signal })
    },
    // Other days of the same figures may stand in for a moment; those of another project or mode may not.
    placeholderData: (before, query) =>
      query?.queryKey[1] === projectId && query.queryKey[2] === mode ? before : undefined,
  })
}

/** Of every project in one call, by its id. */
export function useToday() {
  return useQuery({
    queryKey: ['today'],
    queryFn: ({ signal }) => call<ProjectsTodayView>('/portal/api/projects/today', undefined, { signal }),
    select: ({ projects }) => new Map(projects.map((one) => [one.projectId, one])),
  })
}

const LOOK_FOR_STEPS_MS = 10_000

function toFirstSteps(projectId: string) {
  return queryOptions({
    queryKey: ['first-steps', projectId],
    queryFn: ({ signal }) => call<FirstStepsView>(`${base(projectId)}/first-steps`, undefined, { signal }),
  })
}

/** The mode in which a project is at work by now; null where that cannot be told. The overview uses the same answer. */
export async function findFirstMode(projectId: string): Promise<Mode | null> {
  try {
    const { live } = await queryClient.ensureQueryData({ ...toFirstSteps(projectId), retry: false })
    return live ? 'live' : 'test'
  } catch {
    // What is lost is the choice alone; the page asks for itself and shows the refusal.
    return null
  }
}

/** Looks again and again while something is left to happen, because it happens elsewhere. */
export function useFirstSteps(projectId: string) {
  return useQuery({
    ...toFirstSteps(projectId),
    refetchInterval: ({ state }) => {
      const isFinished = state.data && Object.values(state.data).every(Boolean)
      // Whoever closed the sign-in dialog is not asked again by a clock.
      return isFinished || state.error instanceof GivenUp ? false : LOOK_FOR_STEPS_MS
    },
  })
}

export function useFailures(projectId: string, mode: Mode) {
  return useQuery({
    queryKey: ['failures', projectId, mode, locale],
    queryFn: ({ signal }) =>
      call<FailuresView>(`${base(projectId)}/failures?mode=${mode}`, undefined, { signal }),
  })
}
