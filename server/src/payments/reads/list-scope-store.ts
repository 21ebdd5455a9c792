// SQL for the rows that a filter matches. A subquery that can match many rows is ordered like its index and has a limit, so
// that the planner uses the index.
// Statements are named by their text, so that a connection prepares each statement at most once.
import { TOTAL_COUNTED_MAX } from '@pazar/contract'
import { createHash } from 'node:crypto'
import type { Statement } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { DATA_INDEXED_CHARS } from './list-filter.ts'
import type { ListFilter, PrefixRange, Search } from './list-filter.ts'

/** One more than the highest total that is reported, so that it is known whether there are more payments. */
export const COUNT_MAX = TOTAL_COUNTED_MAX + 1

export class Parameters {
  readonly values: unknown[] = []
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/**
 * At most this many list statements are prepared. Each set of filters has its own statement. A connection keeps its prepared
 * statements until it is closed, and each of them takes about 0.3 MB of the database server's memory. The usual lists need
 * fewer statements than this limit. Above the limit, a new statement is not prepared, and PostgreSQL plans it each time.
 */
export const PREPARED_MAX = 50
const preparedNames = new Set<string>()

export function namedByText(area: string, text: string): Statement {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  const name = `${area}.${hash}`
  if (preparedNames.size < PREPARED_MAX) preparedNames.add(name)
  return { ...statement(name, text), isUnprepared: !preparedNames.has(name) }
}

/** The last row of a page, or of a part of a CSV file. The next page or part continues after this row. */
export interface Cursor {
  /** The time as PostgreSQL formats it. A JavaScript date would lose the microseconds, and rows would be skipped. */
  createdAt: string
  id: string
}

const DATA_START = `left(data, ${DATA_INDEXED_CHARS})`

const inRange = (p: Parameters, column: string, range: PrefixRange) =>
  `${column} ~>=~ ${p.add(range.start)} and ${column} ~<~ ${p.add(range.end)}`

const startsWith = {
  customId: (p: Parameters, search: Search) => inRange(p, 'custom_id', search.customId),
  data: (p: Parameters, search: Search) =>
    `${inRange(p, DATA_START, search.data)} and starts_with(data, ${p.add(search.text)})`,
}

function toIdConditions(p: Parameters, search: Search): string[] {
  return [
    ...(search.reference === null ? [] : [`right(id::text, 10) = ${p.add(search.reference)}`]),
    ...(search.transactionId === null ? [] : [`id = ${p.add(search.transactionId)}`]),
  ]
}

function toCompletedRange(p: Parameters, { completedFrom, completedTo }: ListFilter): string[] {
  return [
    ...(completedFrom === null ? [] : [`completed_at >= ${p.add(completedFrom)}`]),
    ...(completedTo === null ? [] : [`completed_at < ${p.add(completedTo)}`]),
  ]
}

/** PostgreSQL reads the same indexes forwards and backwards. */
export function toOrder({ isOldestFirst }: ListFilter): string {
  return isOldestFirst ? 'created_at, id' : 'created_at desc, id desc'
}

function toConditions(p: Parameters, filter: ListFilter, after: Cursor | null): string[] {
  const { state, from, to, completedTo, refunded, disputed, needsReview } = filter
  const followsOperator = filter.isOldestFirst ? '>' : '<'
  return [
    ...(state === null ? [] : [`state = ${p.add(state)}`]),
    ...(from === null ? [] : [`created_at >= ${p.add(from)}`]),
    ...(to === null ? [] : [`created_at < ${p.add(to)}`]),
    ...toCompletedRange(p, filter),
    // A payment that ended before `completedTo` was also created before `completedTo`. So a scan from the newest payment can
    // start there.
    ...(completedTo === null ? [] : [`created_at < ${p.add(completedTo)}`]),
    // These conditions are written exactly as in the indexes, so that PostgreSQL can use the indexes.
    ...(refunded === null ? [] : [refunded ? 'refunded > 0' : 'refunded = 0']),
    ...(disputed === null ? [] : [disputed ? 'disputed > 0' : 'disputed = 0']),
    ...(needsReview === null ? [] : [needsReview ? 'needs_review' : 'not needs_review']),
    ...(after === null
      ? []
      : [
          `(created_at, id) ${followsOperator} (${p.add(after.createdAt)}::timestamptz, ${p.add(after.id)}::uuid)`,
        ]),
  ]
}

/** One condition per project and mode, because the indexes of lists begin with these two. */
function toScopes(p: Parameters, filter: ListFilter): string[] {
  const modes = filter.modes.map((mode) => `mode = ${p.add(mode)}`)
  return filter.projectIds
    .map((projectId) => `project_id = ${p.add(projectId)}`)
    .flatMap((project) => modes.map((mode) => `${project} and ${mode}`))
}

/**
 * SQL: the first payments of each project and mode, at most `rowsMax` of each. PostgreSQL merges these index scans row by
 * row, and stops when it has enough rows. A search is checked on each row, so this query suits searches with many matches.
 */
export function toFirstRows(
  p: Parameters,
  filter: ListFilter,
  after: Cursor | null,
  rowsMax: number,
): string {
  const conditions = toConditions(p, filter, after)
  const { search, customId } = filter
  if (search) {
    const searchConditions = [
      startsWith.customId(p, search),
      startsWith.data(p, search),
      ...toIdConditions(p, search),
    ]
    conditions.push(`(${searchConditions.join(' or ')})`)
  }
  const limit = p.add(rowsMax)
  const ofCustomId = customId === null ? [] : [`custom_id = ${p.add(customId)}`]
  const scan = (from: string, where: readonly string[]) =>
    `(select id, created_at from ${from} where ${where.join(' and ')} order by ${toOrder(filter)} limit ${limit})`
  const scans = toScopes(p, filter).map((scope) =>
    scan('transactions', [scope, ...ofCustomId, ...conditions]),
  )
  return [...scans, ...toErased(p, filter).map((from) => scan(from, ['true', ...conditions]))].join(
    ' union all ',
  )
}

/** Payments that had the requested customId before it was erased. They are few, and are found by the hash alone. */
function toErased(p: Parameters, filter: ListFilter): string[] {
  if (filter.customIdHashes.length === 0) return []
  const hashed = `select * from transactions where custom_id_hash = any(${p.add(filter.customIdHashes)}::bytea[]) offset 0`
  const scope = `project_id = any(${p.add(filter.projectIds)}) and mode = any(${p.add(filter.modes)})`
  return [`(select * from (${hashed}) as hashed where ${scope} and custom_id is null) as erased`]
}

function toOwnRanges(p: Parameters, filter: ListFilter, limit: string): string[] {
  const { search } = filter
  if (!search) return [`${toCompletedRange(p, filter).join(' and ')} order by completed_at limit ${limit}`]
  return [
    `${startsWith.customId(p, search)} order by custom_id using ~<~ limit ${limit}`,
    `${startsWith.data(p, search)} order by ${DATA_START} using ~<~ limit ${limit}`,
    ...toIdConditions(p, search),
  ]
}

/**
 * Finds the matches of a search or of a range of end times. The query uses the indexes of these conditions, so it suits
 * filters with few matches. A row that matches in two ways is returned twice.
 */
export function toCandidates(p: Parameters, filter: ListFilter): string {
  const limit = p.add(COUNT_MAX)
  const ranges = toOwnRanges(p, filter, limit)
  const columns = 'id, created_at, completed_at, state, custom_id, refunded, disputed, needs_review'
  const found = toScopes(p, filter)
    .flatMap((scope) => ranges.map((range) => `${scope} and ${range}`))
    .map((where) => `(select ${columns} from transactions where ${where})`)
  return `select ${columns} from (${found.join(' union all ')}) as found limit ${limit}`
}

export function toOtherFilters(p: Parameters, filter: ListFilter, after: Cursor | null): string {
  const { customId } = filter
  const ofCustomId = customId === null ? [] : [`custom_id = ${p.add(customId)}`]
  return ['true', ...ofCustomId, ...toConditions(p, filter, after)].join(' and ')
}
