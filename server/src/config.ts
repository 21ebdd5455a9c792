// The only reader of the environment. Settings are parsed at the start and cannot change afterwards.
import { readAccounts } from './config/accounts.ts'
import { readAssistant } from './config/assistant.ts'
import { readCallbacks } from './config/callbacks.ts'
import { ConfigError, EnvReader } from './config/env-reader.ts'
import type { Env } from './config/env-reader.ts'
import { readMail } from './config/mail.ts'
import { readMoney } from './config/money.ts'
import { checkProduction } from './config/production.ts'
import { readRateLimits } from './config/rate-limits.ts'
import { readRetention } from './config/retention.ts'
import { readServer } from './config/server.ts'
import type { Config } from './config/settings.ts'
import { readStorage } from './config/storage.ts'
import { readStripe } from './config/stripe.ts'
import { readUpstreams } from './config/upstreams.ts'
import { FAIL_STEPS } from './lib/failpoint.ts'
import type { FailStep } from './lib/failpoint.ts'

export type { Config } from './config/settings.ts'
export { ConfigError } from './config/env-reader.ts'

function readDemoProject(read: EnvReader): string | null {
  const value = read.text('DEMO_PROJECT')
  if (value === null || /^[a-z][a-z0-9]{1,31}$/.test(value)) return value
  read.addProblem('DEMO_PROJECT must be the id of a project.')
  return null
}

function readFailAt(read: EnvReader): FailStep | null {
  const value = read.text('FAIL_AT')
  const step = FAIL_STEPS.find((one) => one === value) ?? null
  if (value !== null && step === null) read.addProblem(`FAIL_AT must be one of ${FAIL_STEPS.join(', ')}.`)
  return step
}

export function parseConfig(env: Env): Config {
  const read = new EnvReader(env)
  const production =
    read.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const storage = readStorage(read)
  const money = readMoney(read)
  const upstreams = readUpstreams(read)

  const config: Config = {
    production,
    ...readServer(read),
    ...storage,
    ...readRetention(read),
    ...money,
    ...upstreams,
    stripe: readStripe(read, { ...upstreams, ...money }),
    ...readAccounts(read, production),
    ...readCallbacks(read),
    ...readMail(read, production),
    ...readRateLimits(read),
    ai: readAssistant(read),
    demo: read.flag('DEMO', !production && !storage.databaseUrl && env['NODE_ENV'] !== 'test'),
    demoProject: readDemoProject(read),
    startedByNpm: env['npm_lifecycle_event'] === 'start',
    failAt: readFailAt(read),
  }
  if (production) checkProduction(read, config)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return Object.freeze(config)
}

export function loadConfig(): Config {
  return parseConfig(process.env)
}
