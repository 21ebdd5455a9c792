import type { DatabaseFacts } from './doctor-facts.ts'
import { countNeeded, findShortage } from './connection-budget.ts'
import { POOL_MAX } from './connections.ts'
import { findPoolerProblems } from './pooler.ts'
import type { PoolerFacts } from './pooler.ts'
import { CLOCKS_APART_MS_MAX, MAJOR_MIN } from './server-problems.ts'
import { toCode, problemFinding, warningFinding } from '../lib/finding.ts'
import type { Finding } from '../lib/finding.ts'

const WHERE = 'DATABASE_URL'

const FINDING_BY_CODE: Readonly<Record<string, [name: string, what: string, fix: string]>> = {
  '28P01': [
    'database_login',
    'The database refuses the password.',
    'Correct the password in DATABASE_URL, and check that the role exists: create role pazar login password … (or alter role …)',
  ],
  '28000': [
    'database_login',
    'The database refuses this role.',
    'Allow it in pg_hba.conf: host pazar pazar <address> scram-sha-256',
  ],
  '3D000': ['database_missing', 'The database does not exist.', 'create database pazar owner pazar'],
  '53300': [
    'database_connections',
    'The database has no connection left.',
    `Raise max_connections, run fewer processes (${POOL_MAX + 1} connections each), or use a pooler: docs/operate.md.`,
  ],
  '08P01': [
    'pooler',
    'Something other than PostgreSQL responds there, such as a pooler that refuses our settings.',
    'With a pooler in transaction mode set DATABASE_POOLER=transaction; otherwise let DATABASE_URL name the server itself.',
  ],
}

export function toUnreachableFinding(error: unknown, where = WHERE): Finding {
  const code = toCode(error)
  const [name, what, fix] = FINDING_BY_CODE[code] ?? [
    'database_unreachable',
    `The database cannot be reached (${code}).`,
    'Is it running, and do its listen_addresses and firewall let this machine in? Try: psql "$DATABASE_URL"',
  ]
  return problemFinding(name, where, what, fix)
}

/** Counts at least two processes, because one alone cannot be upgraded without an outage. */
function examineConnections(facts: DatabaseFacts, isPoolerConfigured: boolean): Finding[] {
  const use = { ...facts, processes: Math.max(2, facts.processes), isPooled: isPoolerConfigured }
  const shortage = findShortage(use)
  if (shortage === null) return []
  const fix = `alter system set max_connections = ${Math.max(200, 2 * countNeeded(use))}, then restart the database; or run fewer processes (docs/operate.md, Connections and poolers).`
  return [warningFinding('database_connections', WHERE, shortage, fix)]
}

export function examinePoolerFacts(facts: PoolerFacts): Finding[] {
  return findPoolerProblems(facts).map(({ where, what, fix }) => problemFinding('pooler', where, what, fix))
}

function examineServer(facts: DatabaseFacts, production: boolean, isPoolerConfigured: boolean): Finding[] {
  const findings: Finding[] = []
  if (facts.major < MAJOR_MIN)
    findings.push(
      problemFinding(
        'database_version',
        WHERE,
        `The database is PostgreSQL ${facts.major}.`,
        `Upgrade it to ${MAJOR_MIN} or newer.`,
      ),
    )
  if (facts.disabledSettings.length > 0)
    findings.push(
      (production ? problemFinding : warningFinding)(
        'database_not_durable',
        WHERE,
        `The database has ${facts.disabledSettings.join(', ')} off: a power cut loses payments.`,
        `${facts.disabledSettings.map((name) => `alter system set ${name} = on`).join('; ')}; select pg_reload_conf()`,
      ),
    )
  if (facts.isReadOnly)
    findings.push(
      problemFinding(
        'database_read_only',
        WHERE,
        'The database accepts no writes: it is a standby, or was set read-only.',
        'Let DATABASE_URL lead to the primary (deploy/haproxy.cfg), or: alter database … reset default_transaction_read_only',
      ),
    )
  // If a pooler is configured, `facts` are those of the direct address, and `examinePoolerFacts` reports a pooler there.
  if (facts.isBehindPooler && !isPoolerConfigured)
    findings.push(
      problemFinding(
        'pooler',
        WHERE,
        'DATABASE_URL leads to a pooler such as PgBouncer. Prepared statements, LISTEN and locks of a session fail if the pooler works in transaction mode.',
        'Set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL, or let DATABASE_URL name the server itself.',
      ),
    )
  findings.push(...examineConnections(facts, isPoolerConfigured))
  if (facts.bloatedTable !== null)
    findings.push(
      warningFinding(
        'database_dead_rows',
        WHERE,
        `The table ${facts.bloatedTable.name} has ${facts.bloatedTable.deadRows} dead rows that PostgreSQL has not removed. They slow down payments and callbacks.`,
        'Turn autovacuum on, and end what keeps the dead rows: a transaction that has been open for a long time, such as a dump (xact_start in pg_stat_activity), a prepared transaction (pg_prepared_xacts), or an unused replication slot (xmin in pg_replication_slots).',
      ),
    )
  if (Math.abs(facts.clockOffsetMs) > CLOCKS_APART_MS_MAX)
    findings.push(
      problemFinding(
        'clock',
        'this machine and the database',
        `The clocks are ${Math.round(facts.clockOffsetMs / 1000)} s apart.`,
        'Set both by NTP: timedatectl set-ntp true',
      ),
    )
  return findings
}

function examineRole(facts: DatabaseFacts): Finding[] {
  if (facts.isSuperuser)
    return [
      problemFinding(
        'role_superuser',
        WHERE,
        `The role ${facts.role} is a superuser: a fault in the service could read files of the database server and change roles.`,
        'create role pazar login password …; alter database pazar owner to pazar; reassign owned by …',
      ),
    ]
  const findings: Finding[] = []
  if (!facts.mayCreateTables)
    findings.push(
      problemFinding(
        'role_rights',
        WHERE,
        `The role ${facts.role} may not create tables, so nothing can be migrated.`,
        `alter database … owner to ${facts.role}`,
      ),
    )
  if (facts.extraRights.length > 0)
    findings.push(
      warningFinding(
        'role_extra_rights',
        WHERE,
        `The role ${facts.role} has rights that the service does not need: ${facts.extraRights.join(', ')}.`,
        `alter role ${facts.role} ${facts.extraRights.map((right) => `no${right.toLowerCase()}`).join(' ')}`,
      ),
    )
  return findings
}

function examineSchema({ schema }: DatabaseFacts, knownVersion: number): Finding[] {
  if (schema === null || schema.notAdditive <= knownVersion) return []
  return [
    problemFinding(
      'schema_newer',
      WHERE,
      `The database has schema version ${schema.notAdditive}, and this release knows only ${knownVersion}.`,
      'Start the newer release, or restore the backup made before its upgrade (docs/operate.md).',
    ),
  ]
}

export function examineDatabaseFacts(
  facts: DatabaseFacts,
  {
    production,
    knownVersion,
    isPoolerConfigured,
  }: { production: boolean; knownVersion: number; isPoolerConfigured: boolean },
): Finding[] {
  return [
    ...examineServer(facts, production, isPoolerConfigured),
    ...examineRole(facts),
    ...examineSchema(facts, knownVersion),
  ]
}
