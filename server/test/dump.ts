// The whole database as text, in which tests search for values that must not be stored.
import type { Queryable } from '../src/db/pool.ts'
import { rows } from './accounts.ts'

export async function dumpDatabase(db: Queryable): Promise<string> {
  const tables = await rows<{ name: string }>(
    db,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const found = await rows<{ text: string }>(db, `select t::text as text from "${name}" t`)
    texts.push(...found.map(({ text }) => `${name}: ${text}`))
  }
  return texts.join('\n')
}
