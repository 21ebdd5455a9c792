// Counts the database pages that statements read. Unlike milliseconds, the count does not depend on the machine's load.
import pg from 'pg'
import type { Queryable, Statement } from '../src/db/pool.ts'

interface Plan {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
}

/** A query that executes a prepared statement and reports how many pages it reads. The statement may change data. */
export function toExplainQuery(name: string, values: readonly unknown[]): string {
  const argumentList = values.length === 0 ? '' : `(${values.map(toLiteral).join()})`
  return `explain (analyze, buffers, format json) execute "${name}"${argumentList}`
}

export function toPages([row]: readonly object[]): number {
  const { Plan: plan } = (row as Plan)['QUERY PLAN'][0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** Uses the generic plan, as PostgreSQL may do after several executions of a prepared statement. */
async function explainGenericPlan(
  client: pg.Client,
  what: Statement,
  values: readonly unknown[],
): Promise<number> {
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare planned as ${what.text}`)
  const { rows } = await client.query<Plan>(toExplainQuery('planned', values))
  await client.query('deallocate planned')
  return toPages(rows)
}

const toBytea = (value: Buffer) => `\\x${value.toString('hex')}`

function toElement(value: unknown): string {
  if (value === null || typeof value === 'string') return JSON.stringify(value)
  if (Buffer.isBuffer(value)) return JSON.stringify(toBytea(value))
  return value instanceof Date ? value.toISOString() : `${value as bigint | number | boolean}`
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(toElement).join()}}`)
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(toBytea(value))
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return typeof value === 'string' ? pg.escapeLiteral(value) : JSON.stringify(value)
}

export async function countPages(
  databaseUrl: string,
  db: Queryable,
  work: (queryable: Queryable) => Promise<unknown>,
): Promise<number> {
  const statements: { what: Statement; values: readonly unknown[] }[] = []
  await work({
    query: (what, values = []) => {
      statements.push({ what, values })
      return db.query(what, values)
    },
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let pages = 0
  for (const { what, values } of statements) {
    await client.query('begin')
    pages += await explainGenericPlan(client, what, values)
    await client.query('rollback')
  }
  await client.end()
  return pages
}
