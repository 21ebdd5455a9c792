// Load balancers check readiness often and with short timeouts. So the response is quick, and requests at the same time
// share one query.
import { readSchemaVersion } from '../db/migration-file.ts'
import { CLOCKS_APART_MS_MAX } from '../db/server-problems.ts'
import type { Db } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { ServiceError } from '../lib/service-error.ts'
import { readServerState } from './health-store.ts'

/** The documentation promises a response within 2 s. The remaining second is for a busy machine. */
const RESPOND_WITHIN_MS = 1_000

function toNotReadyError(log: string): ServiceError {
  return new ServiceError('unavailable', { retryAfterSec: 2, log: `not ready: ${log}` })
}

async function checkDatabase(db: Db, clock: Clock, knownVersion: number): Promise<void> {
  const requestedMs = clock.nowMs()
  const state = await readServerState(db)
  if (state.isReadOnly) throw toNotReadyError('the database is read-only')
  if (state.hasHungCommit) throw toNotReadyError('commits wait for a standby')
  // Processes start only on their own schema or a newer one, so this database was replaced or is being restored.
  if (state.schemaVersion < knownVersion)
    throw toNotReadyError(
      `the database has schema version ${state.schemaVersion}, and this release needs ${knownVersion}`,
    )
  // A newer release has changed the schema in a way that this process cannot work with.
  if (state.notAdditiveVersion > knownVersion)
    throw toNotReadyError(
      `the database has schema version ${state.notAdditiveVersion}, and this release knows only ${knownVersion}`,
    )
  // The database reads its clock at an unknown time between request and response. The smallest possible difference is
  // used.
  const apartMs = Math.max(requestedMs - state.nowMs, state.nowMs - clock.nowMs())
  if (apartMs > CLOCKS_APART_MS_MAX)
    throw toNotReadyError(
      `the clocks of this machine and of the database are ${Math.round(apartMs / 1000)} s apart`,
    )
}

export function createReadiness(db: Db, clock: Clock = systemClock): () => Promise<void> {
  let checking: Promise<void> | null = null
  const knownVersion = readSchemaVersion().then(Number)
  // Each check awaits this promise and throws its error. The empty handler only prevents an unhandled rejection.
  knownVersion.catch(() => undefined)
  return async () => {
    if (db.hadWriteFailure()) throw toNotReadyError('a write failed a moment ago')
    checking ??= knownVersion
      .then((known) => checkDatabase(db, clock, known))
      .finally(() => {
        checking = null
      })
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(toNotReadyError('no response in time')), RESPOND_WITHIN_MS)
    try {
      await Promise.race([checking, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Logs each reason why the process is not ready, and when the process is ready again. The log has these lines even if
 * nothing polls /readyz.
 */
export function logReadiness(requireReady: () => Promise<void>, log: Logger): () => Promise<void> {
  let lastReason: string | null = null
  return async () => {
    try {
      await requireReady()
      if (lastReason !== null) log.info('ready again')
      lastReason = null
    } catch (error) {
      const reason = error instanceof ServiceError ? String(error.log) : String(error)
      if (reason !== lastReason) log.warn({ err: error }, 'not ready')
      lastReason = reason
      throw error
    }
  }
}
