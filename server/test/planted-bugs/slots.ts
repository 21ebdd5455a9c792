// Harmful changes in how callbacks share the concurrency slots of a process.
import type { Bug } from './bug.ts'

export const SLOT_BUGS: readonly Bug[] = [
  [
    'with more merchants than slots, freed slots keep going to the same merchants',
    'server/src/callbacks/scheduler.ts',
    '    .toSorted((a, b) => a.lane.servedNth - b.lane.servedNth)\n',
    '',
    'server/src/callbacks/fetch-plan.test.ts',
  ],
  [
    'a merchant that was served keeps its place before merchants that wait',
    'server/src/callbacks/owned-lanes.ts',
    '{ usedAtMs: nowMs, servedNth: share.servedNth }',
    '{ usedAtMs: nowMs }',
    'server/src/callbacks/fetch-plan.test.ts',
  ],
  [
    'test callbacks use the slots of live callbacks to the same host',
    'server/src/callbacks/scheduler.ts',
    'const toHostKey = ({ mode, host }: { mode: Mode; host: string }) => `${mode} ${host}`',
    'const toHostKey = ({ host }: { mode: Mode; host: string }) => host',
    'server/src/callbacks/scheduler.test.ts',
  ],
  [
    'a test backlog takes slots from live backlogs',
    'server/src/callbacks/scheduler.ts',
    "for (const mode of ['live', 'test'])",
    "for (const mode of ['test', 'live'])",
    'server/src/callbacks/scheduler.test.ts',
  ],
  [
    'a slow test request limits live callbacks to the same host',
    'server/src/callbacks/slow-hosts.ts',
    "      if (mode === 'test') return () => undefined\n",
    '',
    'server/src/callbacks/slow-hosts.test.ts',
  ],
  [
    'a failing merchant is never probed again after an outcome that could not be recorded',
    'server/src/callbacks/flights.ts',
    'found.entries.size > found.refused.size',
    'found.entries.size > 0',
    'server/src/callbacks/fetch-plan.test.ts',
  ],
  [
    'while outcomes cannot be recorded, a failing merchant is probed without a pause',
    'server/src/callbacks/fetch-plan.ts',
    'Math.max(lane.probeAtMs, lane.noProbeBeforeMs)',
    'lane.probeAtMs',
    'server/src/callbacks/fetch-plan.test.ts',
  ],
  [
    'open requests occupy no slots once another process has taken over their lane',
    'server/src/callbacks/fetch-plan.ts',
    'flights.listOpen()',
    'scheduled.map(({ mode, host, inFlight: count }) => ({ mode, host, count }))',
    'server/src/callbacks/fetch-plan.test.ts',
  ],
  [
    'a few callbacks count as a backlog',
    'server/src/callbacks/owned-lanes.ts',
    'if (share.isFetchFull) lane.fullFetches += 1',
    'lane.fullFetches += 1',
    'server/src/callbacks/owned-lanes.test.ts',
  ],
  [
    'after the outcome of an attempt was lost, its lane waits for that outcome forever',
    'server/src/callbacks/worker-loop.ts',
    "'an outcome was lost')\n      onRefused(callback)\n",
    "'an outcome was lost')\n",
    'server/src/callbacks/unrecorded.test.ts',
  ],
]
