// Gives the metrics their label values in advance, so that counters can begin at 0.
import { hostname } from 'node:os'
import { attemptOutcome, transactionState, refundState } from '@pazar/contract'
import { UPSTREAM_FAULTS } from './backends/backend.ts'
import type { Config } from './config.ts'
import { readSchemaVersion } from './db/migration-file.ts'
import type { Db } from './db/pool.ts'
import { createReadiness, logReadiness } from './http/readiness.ts'
import type { Clock } from './lib/clock.ts'
import { INCIDENT_KINDS } from './lib/incident-kind.ts'
import type { Logger } from './lib/logger.ts'
import { createMetrics } from './lib/metrics.ts'
import type { Metrics } from './lib/metrics.ts'
import { createSpans, NO_SPANS } from './lib/spans.ts'
import type { Spans } from './lib/spans.ts'
import { VERSION } from './lib/version.ts'
import { readGauges } from './payments/watch-background.ts'

export async function createServiceMetrics(
  { role, backend, backendsKept }: Pick<Config, 'role' | 'backend' | 'backendsKept'>,
  db: Db,
  clock: Clock,
  log: Logger,
): Promise<Metrics> {
  return createMetrics(() => readGauges({ db, clock }), {
    knownLabels: {
      incidentKinds: INCIDENT_KINDS,
      paymentStates: transactionState.options,
      refundStates: refundState.options,
      attemptOutcomes: attemptOutcome.options,
      // Calls to the sandbox are not counted, because it is part of this installation.
      upstreams: [backend, ...backendsKept].filter((name) => name !== 'sandbox'),
      callOutcomes: ['answered', ...UPSTREAM_FAULTS],
    },
    requireReady: logReadiness(createReadiness(db), log),
    readPool: () => db.countConnections(),
    build: { version: VERSION, schema: await readSchemaVersion(), role },
  })
}

export function createServiceSpans(
  { otlpEndpoint, role }: Pick<Config, 'otlpEndpoint' | 'role'>,
  metrics: Metrics,
): Spans {
  if (otlpEndpoint === null) return NO_SPANS
  return createSpans({
    endpoint: otlpEndpoint,
    resource: {
      'service.name': 'pazar',
      'service.version': VERSION,
      'host.name': hostname(),
      'pazar.role': role,
    },
    onDropped: (count) => metrics.countDroppedSpans(count),
  })
}
