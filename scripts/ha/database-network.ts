// The network between the replicas of the service and HAProxy: TCP proxies that the drill can cut. PgBouncer can stand
// behind one of them.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startTcpProxy } from '../../server/test/tcp-proxy.ts'
import { freePort } from '../../server/test/service-process.ts'
import { toPgbouncerConfig } from './config-files.ts'
import type { Processes } from './processes.ts'
import { findDatabaseAccount } from './programs.ts'
import type { Programs } from './programs.ts'

export interface DatabaseNetwork {
  env: Record<string, string>
  /** Stops all packets, and leaves every connection open. */
  cut(): void
  reconnect(): void
}

/** Returns the URL of PgBouncer. PgBouncer refuses to run as root, so root starts it with PostgreSQL's account. */
async function startPgbouncer(
  programs: Programs,
  processes: Processes,
  databaseUrl: string,
): Promise<string> {
  const dir = path.join(processes.dir, 'pgbouncer')
  mkdirSync(dir)
  const port = await freePort()
  const { username, password } = new URL(databaseUrl)
  const files = {
    users: `"${username}" "${password}"\n`,
    settings: toPgbouncerConfig(dir, port, databaseUrl),
  }
  const account = findDatabaseAccount()
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(dir, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (account) chownSync(file, account.uid, account.gid)
  }
  processes.start('pgbouncer', { file: programs.pgbouncer, args: [path.join(dir, 'settings')], account })
  const url = new URL(databaseUrl)
  url.port = String(port)
  return url.href
}

export async function openDatabaseNetwork(
  programs: Programs,
  processes: Processes,
  { databaseUrl, pooler }: { databaseUrl: string; pooler: boolean },
): Promise<DatabaseNetwork> {
  const directProxy = await startTcpProxy(databaseUrl)
  const poolerProxy = pooler
    ? await startTcpProxy(await startPgbouncer(programs, processes, databaseUrl))
    : null
  const proxies = poolerProxy ? [directProxy, poolerProxy] : [directProxy]
  return {
    env: poolerProxy
      ? {
          DATABASE_POOLER: 'transaction',
          DATABASE_URL: poolerProxy.url,
          DATABASE_DIRECT_URL: directProxy.url,
        }
      : { DATABASE_URL: directProxy.url },
    cut() {
      for (const proxy of proxies) proxy.goSilent()
    },
    reconnect() {
      for (const proxy of proxies) proxy.resume()
    },
  }
}
