// How much of the database a piece of work touches: pages, not milliseconds, so that a busy machine changes nothing.
import pg from 'pg'
import type { Queryable, Statement } from '../src/db/pool.ts'

/** As the server keeps a statement that it has planned once for all values, which is what busy connections use. */
async function explainKept(client: pg.Client, what: Statement, values: readonly unknown[]): Promise<number> {
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare kept as ${what.text}`)
  const given = values.length === 0 ? '' : `(${values.map(toLiteral).join()})`
  const { rows: found } = await client.query<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
  }>(`explain (analyze, buffers, format json) execute kept${given}`)
  await client.query('deallocate kept')
  const { Plan: plan } = found[0]!['QUERY PLAN'][0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `'{${value.map(toText).join()}}'`
  if (value instanceof Date) return `'${toText(value)}'`
  return typeof value === 'string' ? pg.escapeLiteral(value) : JSON.stringify(value)
}

/** How many pages of the database the statements of `work` touch. */
export async function countPages(
  databaseUrl: string,
  db: Queryable,
  work: (on: Queryable) => Promise<unknown>,
): Promise<number> {
  const asked: { what: Statement; values: readonly unknown[] }[] = []
  await work({
    query: (what, values = []) => {
      asked.push({ what, values })
      return db.query(what, values)
    },
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let pages = 0
  for (const { what, values } of asked) {
    await client.query('begin')
    pages += await explainKept(client, what, values)
    await client.query('rollback')
  }
  await client.end()
  return pages
}
