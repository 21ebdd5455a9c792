// In production an answered request must survive a power cut; a server set up to forget is refused at start.
import pg from 'pg'

const MUST_BE_ON = ['fsync', 'synchronous_commit', 'full_page_writes'] as const
/** Named statements, `for update skip locked` and the rest work from here on; older ones are past their end of life. */
const MAJOR_MIN = 15

/** One sentence per thing that is wrong. */
export async function findServerProblems(databaseUrl: string, production: boolean): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // Without a listener a server that goes away in between would end the process; the query under way says it too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [[...MUST_BE_ON, 'server_version_num']],
    )
    const settings = new Map(rows.map((row) => [row.name, row.setting]))
    const problems: string[] = []
    const major = Math.floor(Number(settings.get('server_version_num')) / 10_000)
    if (major < MAJOR_MIN)
      problems.push(`The database is PostgreSQL ${major}; ${MAJOR_MIN} or newer is needed.`)
    if (!production) return problems
    for (const name of MUST_BE_ON) {
      if (settings.get(name) === 'off') problems.push(`The database has ${name} off; production needs it on.`)
    }
    return problems
  } finally {
    await client.end()
  }
}
