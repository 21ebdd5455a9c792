// Queries that arrive at the same time share one statement, because a round trip costs more than a query itself.
import { ServiceError } from '../lib/service-error.ts'
import type { Queryable, Statement } from './pool.ts'
import { isLost } from './pool.ts'
import { CONNECT_TIMEOUT_MS } from './connection.ts'

/**
 * How many queries share one statement at most. This limits how long the statement runs, and how many queries wait for the
 * slowest of them.
 */
const BATCH_MAX = 64
/** How many batches of one statement run at a time. Further queries wait, so batches grow with the load. */
const RUNNING_MAX = 4

interface Query {
  values: readonly unknown[]
  result: PromiseWithResolvers<object[]>
  queuedMs: number
}

interface Queue {
  waiting: Query[]
  running: number
  isScheduled: boolean
  expiry: NodeJS.Timeout | null
}

const queues = new WeakMap<Queryable, Map<Statement, Queue>>()

function getOrCreateQueue(db: Queryable, statement: Statement): Queue {
  const queuesOfDb = queues.get(db) ?? new Map<Statement, Queue>()
  const queue = queuesOfDb.get(statement) ?? { waiting: [], running: 0, isScheduled: false, expiry: null }
  queues.set(db, queuesOfDb.set(statement, queue))
  return queue
}

/**
 * The SQL takes one array per value, and reads these arrays as `unnest($1::text[], …) with ordinality as requested(…, n)`.
 * Each returned row has the number `n` of its query in the column `requested`.
 */
export function batchQuery<Row extends object>(
  db: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const query: Query = { values, result: Promise.withResolvers(), queuedMs: performance.now() }
  const queue = getOrCreateQueue(db, statement)
  queue.waiting.push(query)
  if (!queue.isScheduled) {
    queue.isScheduled = true
    // At the end of this turn of the event loop, every request that has arrived has queued its query.
    setImmediate(() => {
      queue.isScheduled = false
      sendWaiting(db, statement, queue)
    })
  }
  return query.result.promise as Promise<Row[]>
}

function sendWaiting(db: Queryable, statement: Statement, queue: Queue): void {
  while (queue.waiting.length > 0 && queue.running < RUNNING_MAX) {
    queue.running += 1
    void runBatch(db, statement, queue.waiting.splice(0, BATCH_MAX)).finally(() => {
      queue.running -= 1
      sendWaiting(db, statement, queue)
    })
  }
  expireLater(statement, queue)
}

function expireLater(statement: Statement, queue: Queue): void {
  const [oldest] = queue.waiting
  if (!oldest || queue.expiry) return
  const leftMs = Math.max(0, oldest.queuedMs + CONNECT_TIMEOUT_MS - performance.now())
  queue.expiry = setTimeout(() => {
    // If this process was paused, results may have arrived meanwhile. They are read first, so that waiting queries can start.
    setImmediate(() => {
      queue.expiry = null
      refuseExpired(statement, queue)
      expireLater(statement, queue)
    })
  }, leftMs)
}

function refuseExpired(statement: Statement, queue: Queue): void {
  const expiredMs = performance.now() - CONNECT_TIMEOUT_MS
  while (queue.waiting[0] && queue.waiting[0].queuedMs <= expiredMs) {
    const log = `database: ${statement.name} waited too long for a connection`
    queue.waiting.shift()!.result.reject(new ServiceError('unavailable', { retryAfterSec: 2, log }))
  }
}

async function runBatch(db: Queryable, statement: Statement, batch: readonly Query[]): Promise<void> {
  try {
    const columns = batch[0]!.values.map((_, column) => batch.map(({ values }) => values[column]))
    const rows = await db.query<{ requested: number }>(statement, columns)
    const results = batch.map((): object[] => [])
    for (const row of rows) results[row.requested - 1]!.push(row)
    batch.forEach(({ result }, index) => result.resolve(results[index]!))
  } catch (error) {
    // One failed query must not make the whole batch fail. So each query is repeated alone, if the database is available.
    if (batch.length === 1 || isLost(error)) for (const { result } of batch) result.reject(error)
    else await Promise.all(batch.map((query) => runBatch(db, statement, [query])))
  }
}
