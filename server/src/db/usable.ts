import { ConfigError } from '../config.ts'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { findPoolerProblems, readPoolerFacts } from './pooler.ts'
import { findServerProblems } from './server-problems.ts'

/**
 * Returns the code of the error, because its message may contain a password. Errors of the driver itself have no code, so
 * their message is returned.
 */
function toCode(error: unknown): string {
  if (error instanceof AggregateError) return toCode(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

export async function requireUsableDatabase(
  config: Config,
  databaseUrl: string,
  directUrl: string,
): Promise<void> {
  const throwUnusable = (setting: string) => (error: unknown) => {
    throw new StartError(
      `The database of ${setting} cannot be used (${toCode(error)}). To find out why: npm run pazar -- doctor`,
    )
  }
  const isPooled = config.databasePooler === 'transaction'
  const problems = await findServerProblems(directUrl, config.production).catch(
    throwUnusable(isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'),
  )
  if (isPooled) {
    const facts = await readPoolerFacts(databaseUrl, directUrl).catch(throwUnusable('DATABASE_URL'))
    problems.push(...findPoolerProblems(facts).map(({ what, fix }) => `${what} ${fix}`))
  }
  if (problems.length > 0) throw new ConfigError(problems)
}
