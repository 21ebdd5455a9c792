// In production, a database server that does not sync its commits is refused: a confirmed request must survive a power cut.
// The clock of the database server must agree with the clock of this machine, because the database's clock schedules
// callbacks, and this machine's clock gives the time in their signatures.
import type { Clock } from '../lib/clock.ts'
import { systemClock } from '../lib/clock.ts'
import { Connection, toConnectionOptions } from './connection.ts'

const REQUIRED_SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes'] as const
/** Older versions are past their end of life. */
export const MAJOR_MIN = 15
/**
 * Merchants accept a signature whose time differs from their own by up to five minutes. One minute leaves a margin. Clocks
 * that are set by NTP differ by less than a minute.
 */
export const CLOCKS_APART_MS_MAX = 60_000
/** This is longer than a payer's request may wait, because the database may still be starting. */
const TIMEOUT_MS = 10_000

export async function findServerProblems(
  databaseUrl: string,
  production: boolean,
  clock: Clock = systemClock,
): Promise<string[]> {
  const client = new Connection(toConnectionOptions(databaseUrl, TIMEOUT_MS))
  await client.connect()
  try {
    const { rows } = await client.run<{ name: string; setting: string }>(
      {
        text: 'select name, setting from pg_settings where name = any($1)',
        values: [[...REQUIRED_SETTINGS, 'server_version_num']],
      },
      TIMEOUT_MS,
    )
    const settings = new Map(rows.map((row) => [row.name, row.setting]))
    const problems: string[] = []
    const major = Math.floor(Number(settings.get('server_version_num')) / 10_000)
    if (major < MAJOR_MIN)
      problems.push(`The database is PostgreSQL ${major}; ${MAJOR_MIN} or newer is needed.`)
    const apartMs = await measureClocks(client, clock)
    if (apartMs > CLOCKS_APART_MS_MAX) {
      problems.push(
        `The clocks of this machine and of the database are ${Math.round(apartMs / 1000)} s apart; callbacks are signed with this machine's time and scheduled by the database's. Set both by NTP.`,
      )
    }
    if (!production) return problems
    for (const name of REQUIRED_SETTINGS) {
      if (settings.get(name) === 'off') problems.push(`The database has ${name} off; production needs it on.`)
    }
    return problems
  } finally {
    await client.end()
  }
}

/** The smallest possible difference: the server reads its clock at an unknown time between request and response. */
export async function measureClocks(client: Connection, clock: Clock): Promise<number> {
  const requestedMs = clock.nowMs()
  const { rows } = await client.run<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    TIMEOUT_MS,
  )
  const databaseMs = rows[0]!.ms
  return Math.max(0, requestedMs - databaseMs, databaseMs - clock.nowMs())
}
