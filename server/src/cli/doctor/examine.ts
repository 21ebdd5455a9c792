// The checks of `doctor`. They change nothing, and a check that fails does not stop the others.
import path from 'node:path'
import type { Config } from '../../config.ts'
import { readDatabaseFacts } from '../../db/doctor-facts.ts'
import { findRunningUrl } from '../../db/embedded.ts'
import { readPoolerFacts } from '../../db/pooler.ts'
import { readSchemaVersion } from '../../db/migration-file.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { examineDatabaseFacts, examinePoolerFacts, toUnreachableFinding } from '../../db/doctor-findings.ts'
import { toCode, problemFinding, warningFinding } from '../../lib/finding.ts'
import type { Finding } from '../../lib/finding.ts'
import { examineDisk, examineMasterKey } from './machine-findings.ts'
import { examineMail, examineNames, examinePublicAddress, examineUpstream } from './network-findings.ts'
import { examineSettings } from './settings-findings.ts'

export interface DoctorDeps {
  config: Config
  clock: Clock
  log: Logger
}

export const CHECKS = 'config, proxy, database, role, pooler, clock, schema, keys, DNS, mail, upstream, disk'

/** While the service does not run, its embedded database does not run either. */
const STOPPED_FINDING = warningFinding(
  'database_stopped',
  'DATA_DIR',
  'The embedded database does not run, so the database and the keys were not checked.',
  'Start the service, then run doctor again.',
)

async function examineDatabase({ config, clock }: DoctorDeps): Promise<Finding[]> {
  const url = config.databaseUrl ?? (await findRunningUrl(path.join(config.dataDir, 'postgres'), 'pazar'))
  if (url === null) return [STOPPED_FINDING]
  const directUrl = config.databaseDirectUrl
  const settingName = directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const facts = await readDatabaseFacts(directUrl ?? url, clock).catch((error: unknown) =>
    toUnreachableFinding(error, settingName),
  )
  if ('fix' in facts) return [facts]
  const isPoolerConfigured = directUrl !== null
  const pooler = isPoolerConfigured ? await examinePooler(url, directUrl) : []
  const knownVersion = Number(await readSchemaVersion())
  const findings = [
    ...examineDatabaseFacts(facts, { production: config.production, knownVersion, isPoolerConfigured }),
    ...pooler,
  ]
  // The check of the master key connects as the service does. So the server must accept writes, and a pooler, if there
  // is one, must have no problem.
  const isUsable = !facts.isReadOnly && !facts.isBehindPooler && pooler.length === 0
  if (facts.schema === null || !isUsable) return findings
  return [...findings, ...(await examineMasterKey(config, url))]
}

async function examinePooler(url: string, directUrl: string): Promise<Finding[]> {
  const facts = await readPoolerFacts(url, directUrl).catch((error: unknown) => toUnreachableFinding(error))
  return 'fix' in facts ? [facts] : examinePoolerFacts(facts)
}

async function withNotCheckedFinding(where: string, check: Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check
  } catch (error) {
    const what = `This could not be checked (${toCode(error)}).`
    return [problemFinding('not_checked', where, what, 'Repair the other findings, then run doctor again.')]
  }
}

export async function examine(deps: DoctorDeps): Promise<Finding[]> {
  const { config } = deps
  const parts = await Promise.all([
    withNotCheckedFinding('database', examineDatabase(deps)),
    withNotCheckedFinding('DNS', examineNames(config)),
    withNotCheckedFinding('mail', examineMail(deps)),
    withNotCheckedFinding('upstream', examineUpstream(deps)),
    withNotCheckedFinding('BASE_URL', examinePublicAddress(config)),
    withNotCheckedFinding('DATA_DIR', examineDisk(config)),
  ])
  return [...examineSettings(config), ...parts.flat()].toSorted(
    (a, b) => Number(b.level === 'problem') - Number(a.level === 'problem'),
  )
}
