// The figures of a project, of all projects today, and how far a new one has come.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { FailuresView, FirstStepsView, Mode, ProjectsTodayView, StatsView } from '@pazar/contract'
import { locale } from '../app/language.ts'
import { call } from './call.ts'

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
    placeholderData: keepPreviousData,
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

/** Looks again and again while something is left to happen, because it happens elsewhere. */
export function useFirstSteps(projectId: string) {
  return useQuery({
    queryKey: ['first-steps', projectId],
    queryFn: ({ signal }) => call<FirstStepsView>(`${base(projectId)}/first-steps`, undefined, { signal }),
    refetchInterval: ({ state }) =>
      state.data && Object.values(state.data).every(Boolean) ? false : LOOK_FOR_STEPS_MS,
  })
}

export function useFailures(projectId: string, mode: Mode) {
  return useQuery({
    queryKey: ['failures', projectId, mode, locale],
    queryFn: ({ signal }) =>
      call<FailuresView>(`${base(projectId)}/failures?mode=${mode}`, undefined, { signal }),
  })
}
