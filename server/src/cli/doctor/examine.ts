// All checks of `doctor`. They change nothing, and one that fails does not stop the others.
import path from 'node:path'
import type { Config } from '../../config.ts'
import { readDatabaseFacts } from '../../db/doctor-facts.ts'
import { findRunningUrl } from '../../db/embedded.ts'
import { readPoolerFacts } from '../../db/pooler.ts'
import { readSchemaVersion } from '../../db/migration-file.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { findDatabase, findPooler, toUnreachable } from '../../db/doctor-findings.ts'
import { toCode, toProblem } from '../../lib/finding.ts'
import type { Finding } from '../../lib/finding.ts'
import { findDisk, findMasterKey } from './machine-findings.ts'
import { findMail, findNames, findPublicAddress, findUpstream } from './network-findings.ts'
import { findSettings } from './settings-findings.ts'

export interface DoctorDeps {
  config: Config
  clock: Clock
  log: Logger
}

export const CHECKS = 'config, proxy, database, role, pooler, clock, schema, keys, DNS, mail, upstream, disk'

async function examineDatabase({ config, clock }: DoctorDeps): Promise<Finding[]> {
  const url = config.databaseUrl ?? (await findRunningUrl(path.join(config.dataDir, 'postgres'), 'pazar'))
  // An embedded database that does not run is started by the service, and there is nothing to check.
  if (url === null) return []
  const directUrl = config.databaseDirectUrl
  const where = directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const facts = await readDatabaseFacts(directUrl ?? url, clock).catch((error: unknown) =>
    toUnreachable(error, where),
  )
  if ('fix' in facts) return [facts]
  const isPooled = directUrl !== null
  const pooler = isPooled ? await examinePooler(url, directUrl) : []
  const knownVersion = Number(await readSchemaVersion())
  const findings = [
    ...findDatabase(facts, { production: config.production, knownVersion, isPooled }),
    ...pooler,
  ]
  // The service's own connections cannot be used with a server that takes no writes, or through a pooler it does not know of.
  const isUsable = !facts.isReadOnly && !facts.isPooled && pooler.length === 0
  if (facts.schema === null || !isUsable) return findings
  return [...findings, ...(await findMasterKey(config, url))]
}

async function examinePooler(url: string, directUrl: string): Promise<Finding[]> {
  const facts = await readPoolerFacts(url, directUrl).catch((error: unknown) => toUnreachable(error))
  return 'fix' in facts ? [facts] : findPooler(facts)
}

async function orNotChecked(where: string, check: Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check
  } catch (error) {
    const what = `This could not be checked (${toCode(error)}).`
    return [toProblem('not_checked', where, what, 'Repair the other findings, then run doctor again.')]
  }
}

export async function examine(deps: DoctorDeps): Promise<Finding[]> {
  const { config } = deps
  const parts = await Promise.all([
    orNotChecked('database', examineDatabase(deps)),
    orNotChecked('DNS', findNames(config)),
    orNotChecked('mail', findMail(deps)),
    orNotChecked('upstream', findUpstream(deps)),
    orNotChecked('BASE_URL', findPublicAddress(config)),
    orNotChecked('DATA_DIR', findDisk(config)),
  ])
  // Problems first.
  return [...findSettings(config), ...parts.flat()].toSorted(
    (a, b) => Number(b.level === 'problem') - Number(a.level === 'problem'),
  )
}
