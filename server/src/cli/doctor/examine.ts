// All checks of `doctor`. They change nothing, and one that fails does not stop the others.
import path from 'node:path'
import type { Config } from '../../config.ts'
import { readDatabaseFacts } from '../../db/doctor-facts.ts'
import { findRunningUrl } from '../../db/embedded.ts'
import { readSchemaVersion } from '../../db/migration-file.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { findDatabase, toUnreachable } from '../../db/doctor-findings.ts'
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
  const facts = await readDatabaseFacts(url, clock).catch((error: unknown) => toUnreachable(error))
  if ('fix' in facts) return [facts]
  const knownVersion = Number(await readSchemaVersion())
  const findings = findDatabase(facts, { production: config.production, knownVersion })
  // The service's own connections cannot be used with a server that takes no writes, or through a pooler.
  if (facts.schema === null || facts.isReadOnly || facts.isPooled) return findings
  return [...findings, ...(await findMasterKey(config, url))]
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
