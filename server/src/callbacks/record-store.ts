// Records the outcomes of a batch of attempts. Accepted first attempts of new callbacks (new-callbacks-store.ts) have a
// cheaper statement.
import type { AttemptOutcome, Mode } from '@pazar/contract'
import type { Queryable, Statement } from '../db/pool.ts'
import type { AttemptIdentity } from './outgoing-callback.ts'
import type { Tally } from './health-store.ts'
import type { Lane } from './lanes.ts'
import { toLaneKey } from './lanes.ts'
import { RECORD, RECORD_LATE, RECORD_NEW } from './record-statements-store.ts'
import type { Next } from './retry.ts'

export interface AttemptRecord extends AttemptIdentity {
  url: string
  remoteIp: string | null
  /** On the monotonic clock of this process. */
  startedMs: number
  durationMs: number
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
  excerpt: string | null
  bodySha256: string | null
  next: Next
  /** Whether the outcome counts for the health of the lane. */
  counts: boolean
}

/** Rows per statement. A statement costs about as much as twenty rows, so larger batches would save little. */
export const RECORD_BATCH_MAX = 256

export interface RecordedCallback extends Lane {
  id: string
  status: string
}

export interface RecordedBatch {
  recorded: RecordedCallback[]
  tallies: Tally[]
}

interface RecordedRow {
  place: number
  mode: Mode
  status: string
  is_late: boolean | null
  /** The lanes whose health a success may change, as toLaneKey writes them. Set in the first row only. */
  troubled: string[] | null
}

/** Whether to try RECORD_NEW. RECORD finds new callbacks too, but costs more. */
const isAcceptedNew = (one: AttemptRecord) =>
  one.isNew && one.attempt === 1 && one.claim === null && one.outcome === 'delivered'

export async function recordAttempts(db: Queryable, done: readonly AttemptRecord[]): Promise<RecordedBatch> {
  const found = new Map<AttemptRecord, RecordedRow>()
  const write = async (
    records: readonly AttemptRecord[],
    run: (records: readonly AttemptRecord[]) => Promise<RecordedRow[]>,
  ) => {
    const missing = records.filter((one) => !found.has(one))
    if (missing.length === 0) return
    for (const row of await run(missing)) found.set(missing[row.place]!, row)
  }
  await write(done.filter(isAcceptedNew), (records) => writeAccepted(db, records))
  await write(done, (records) => writeRecords(db, RECORD, records))
  // If another transaction stores a new callback as pending while the RECORD above runs, that RECORD misses the callback. So
  // RECORD runs again.
  const first = done.filter((one) => one.attempt === 1 && one.claim === null && !isAcceptedNew(one))
  await write(first, (records) => writeRecords(db, RECORD, records))
  const delivered = done.filter((one) => one.outcome === 'delivered')
  await write(delivered, (records) => writeRecords(db, RECORD_LATE, records))
  // The records are in the order in which the attempts ended, because failures in a row are counted.
  const written = done.flatMap((record) => {
    const row = found.get(record)
    return row ? [{ row, record }] : []
  })
  return {
    recorded: written.map(({ row, record: { projectId, id } }) => ({
      projectId,
      mode: row.mode,
      id,
      status: row.status,
    })),
    tallies: toTallies(written, new Set(written.flatMap(({ row }) => row.troubled ?? []))),
  }
}

type PlainValue = string | number | boolean | null

/** Only for values such as numbers, ids and our own words, because nothing is escaped. */
function toArrayText(values: readonly PlainValue[]): string {
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

const toPlainArray = (done: readonly AttemptRecord[], pick: (one: AttemptRecord) => PlainValue) =>
  toArrayText(done.map(pick))

const toBytes = (hex: string | null) => (hex === null ? null : String.raw`\\x${hex}`)

async function writeAccepted(db: Queryable, done: readonly AttemptRecord[]): Promise<RecordedRow[]> {
  const nowMs = performance.now()
  return db.query<RecordedRow>(RECORD_NEW, [
    toPlainArray(done, (one) => one.projectId),
    toPlainArray(done, (one) => one.id),
    toPlainArray(done, (one) => one.trigger),
    done.map((one) => one.url),
    done.map((one) => one.remoteIp),
    toPlainArray(done, (one) => (nowMs - one.startedMs) / 1000),
    toPlainArray(done, (one) => one.durationMs),
    toPlainArray(done, (one) => one.statusCode),
    done.map((one) => one.error),
    done.map((one) => one.excerpt),
    toPlainArray(done, (one) => one.secretVersion),
    toPlainArray(done, (one) => toBytes(one.bodySha256)),
  ])
}

async function writeRecords(
  db: Queryable,
  query: Statement,
  done: readonly AttemptRecord[],
): Promise<RecordedRow[]> {
  const nowMs = performance.now()
  return db.query<RecordedRow>(query, [
    toPlainArray(done, (one) => one.projectId),
    toPlainArray(done, (one) => one.id),
    toPlainArray(done, (one) => one.claim),
    toPlainArray(done, (one) => one.attempt),
    toPlainArray(done, (one) => one.trigger),
    done.map((one) => one.url),
    done.map((one) => one.remoteIp),
    toPlainArray(done, (one) => (nowMs - one.startedMs) / 1000),
    toPlainArray(done, (one) => one.durationMs),
    toPlainArray(done, (one) => one.outcome),
    toPlainArray(done, (one) => one.statusCode),
    done.map((one) => one.error),
    done.map((one) => one.excerpt),
    toPlainArray(done, (one) => one.secretVersion),
    toPlainArray(done, (one) => toBytes(one.bodySha256)),
    toPlainArray(done, (one) => one.next.status),
    toPlainArray(done, (one) => (one.next.status === 'pending' ? one.next.delaySec : null)),
    toPlainArray(done, (one) => one.next.status === 'pending' && one.next.usesNoStep),
  ])
}

type WrittenRecord = { row: RecordedRow; record: AttemptRecord }

function toTallies(written: readonly WrittenRecord[], troubled: ReadonlySet<string>): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const { row, record } of written) {
    const lane = { projectId: record.projectId, mode: row.mode }
    const key = toLaneKey(lane)
    const tally = tallies.get(key) ?? toEmptyTally(lane)
    tallies.set(key, tally)
    const isGood = record.outcome === 'delivered'
    if (record.counts && isGood) Object.assign(tally, { good: tally.good + 1, failures: 0 })
    if (record.counts && !isGood) Object.assign(tally, { bad: tally.bad + 1, failures: tally.failures + 1 })
    tally.hasProbe ||= record.isProbe
    if (row.is_late) tally.late += 1
    // Every live callback that is given up counts, even after our own faults.
    if (row.status === 'exhausted' && row.mode === 'live') tally.exhausted += 1
  }
  return [...tallies].flatMap(([key, tally]) =>
    tally.failures > 0 || tally.exhausted > 0 || troubled.has(key) ? [tally] : [],
  )
}

const toEmptyTally = (lane: Lane): Tally => ({
  ...lane,
  good: 0,
  bad: 0,
  failures: 0,
  hasProbe: false,
  late: 0,
  exhausted: 0,
})
