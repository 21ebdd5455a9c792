// Starts a whole service for a test, with a real PostgreSQL. Tests call the app with `inject` and can read its logs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { Config } from '../src/config.ts'
import { parseConfig } from '../src/config.ts'
import { createLogger } from '../src/lib/logger.ts'
import { wire } from '../src/wire.ts'
import type { Deps, WireOptions } from '../src/wire.ts'
import { createApp } from '../src/app.ts'
import type { Http } from '../src/http/server.ts'
import { toDatabaseEnv } from './database.ts'
import { lendDatabase } from './lent-database.ts'
import { createStubResolver } from './stub-resolver.ts'
import { PRIVATE_NAMES } from './url-corpus.ts'

export const TEST_KEY = Buffer.from('0123456789abcdef0123456789abcdeF').toString('base64')

/** The minimum that argon2 accepts. accounts/passwords.test.ts checks the real cost. */
const CHEAP_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 }

export interface TestService {
  app: Http
  deps: Deps
  config: Config
  databaseUrl: string
  dataDir: string
  logs: string[]
  /** Starts a second app on the same database, like another process. It has its own connections and memory. */
  replica(env?: Record<string, string>): Promise<{ app: Http; deps: Deps }>
}

export async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  const lent = await lendDatabase()
  const { database, connections } = lent
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-data-'))
  const logs: string[] = []
  const closers: (() => Promise<void>)[] = []
  const base = {
    NODE_ENV: 'test',
    ...toDatabaseEnv(database.url),
    DATA_DIR: dataDir,
    SECRETS_KEY: TEST_KEY,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
  }

  async function start(moreEnv: Record<string, string>, moreOptions: Partial<WireOptions> = {}) {
    const config = parseConfig({ ...base, ...env, ...moreEnv })
    const log = createLogger(config.logLevel, { out: { write: (line) => logs.push(line) } })
    // Only the names in PRIVATE_NAMES resolve. There are no real DNS lookups.
    const resolver = createStubResolver(PRIVATE_NAMES)
    const deps = await wire(config, {
      databaseUrl: config.databaseUrl!,
      log,
      resolver,
      passwordCost: CHEAP_PASSWORDS,
      ...moreOptions,
    })
    const app = await createApp(deps)
    closers.push(async () => {
      await app.close()
      await deps.responseCounter.close()
      await deps.db.close()
    })
    return { app, deps, config }
  }

  const first = await start({}, connections && { connections })
  after(async () => {
    for (const close of closers.toReversed()) await close()
    await lent.giveBack()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { ...first, databaseUrl: database.url, dataDir, logs, replica: (moreEnv = {}) => start(moreEnv) }
}
