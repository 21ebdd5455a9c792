// The configuration of the programs of the failover trial (`npm run ha`). HAProxy and nginx get the samples of deploy/ with
// local addresses.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const DEPLOY = path.join(import.meta.dirname, '../../deploy')

export interface NodePorts {
  name: string
  /** Where PostgreSQL and the REST API of Patroni listen. */
  postgres: number
  restApi: number
  /** The ports of the proxies in front of PostgreSQL, the REST API and etcd. The trial can cut these proxies. */
  postgresProxy: number
  restApiProxy: number
  etcdProxy: number
}

/**
 * How long the lease of a primary lasts if it is not renewed. Patroni allows no shorter lease. A failover begins when the
 * lease of a lost primary has ended.
 */
export const LEASE_SEC = 20

/**
 * Patroni before 3.1 needs version 2 of etcd's API, because with version 3 it writes its lock without a condition. A former
 * primary that was paused would then take the lock from the new primary, and the commits of the new primary would be lost.
 */
export function needsEtcdV2(patroniVersion: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(patroniVersion) ?? []
  return Number(major) < 3 || (Number(major) === 3 && Number(minor) < 1)
}

/** JSON is valid YAML, which Patroni reads. */
export function toPatroniConfig(
  node: NodePorts,
  options: { dir: string; postgresDir: string; password: string; usesEtcdV2: boolean },
): string {
  const { dir, postgresDir, password, usesEtcdV2 } = options
  const local = (port: number) => `127.0.0.1:${port}`
  const dcs = {
    ttl: LEASE_SEC,
    loop_wait: 2,
    retry_timeout: 5,
    synchronous_mode: true,
    postgresql: {
      use_pg_rewind: true,
      parameters: { max_connections: 200, shared_buffers: '64MB', wal_keep_size: '256MB' },
    },
  }
  return JSON.stringify({
    scope: 'pazar',
    name: node.name,
    restapi: { listen: local(node.restApi), connect_address: local(node.restApiProxy) },
    // Without use_proxies, Patroni gets etcd's address from etcd and connects without the proxy.
    [usesEtcdV2 ? 'etcd' : 'etcd3']: { hosts: [local(node.etcdProxy)], use_proxies: true },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { 'auth-host': 'scram-sha-256' }, 'data-checksums'] },
    postgresql: {
      listen: local(node.postgres),
      connect_address: local(node.postgresProxy),
      bin_dir: postgresDir,
      data_dir: path.join(dir, 'data'),
      pgpass: path.join(dir, 'pgpass'),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: dir },
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
    },
  })
}

/** Throws if the sample lacks a text to replace, because the result could contain an address of another machine. */
export function replaceAll(text: string, replaced: readonly (readonly [RegExp, string])[]): string {
  return replaced.reduce((all, [from, to]) => {
    if (all.search(from) < 0) throw new Error(`The sample has no ${String(from)}.`)
    return all.replace(from, to)
  }, text)
}

const readSample = (name: string): string => readFileSync(path.join(DEPLOY, name), 'utf8')

/** The HAProxy sample, without the part that connects payers with the service. */
export function toHaproxyConfig(
  port: number,
  nodes: readonly NodePorts[],
  closesOldSessions: boolean,
): string {
  const sample = readSample('haproxy.cfg')
  const [before = '', listen = ''] = sample.split(/^listen postgres$/m)
  const common = before.slice(0, before.indexOf('frontend pay'))
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.postgresProxy} port ${node.restApiProxy}\n`,
  )
  return (
    // The sample's maxconn needs more file descriptors than an ordinary user may open.
    replaceAll(common, [
      [/ {2}ssl-default-bind-options.*\n/, ''],
      [/maxconn 10000/, 'maxconn 1000'],
    ]) +
    'listen postgres' +
    replaceAll(listen, [
      [/127\.0\.0\.1:5432/, `127.0.0.1:${port}`],
      [/default-server port 8008 /, 'default-server '],
      [/ {2}server db1 .*\n {2}server db2 .*\n/, servers.join('')],
      [/ on-marked-down shutdown-sessions/, closesOldSessions ? '$&' : ''],
    ])
  )
}

export function toPgbouncerConfig(dir: string, port: number, databaseUrl: string): string {
  const { hostname, port: databasePort } = new URL(databaseUrl)
  return [
    '[databases]',
    `pazar = host=${hostname} port=${databasePort} dbname=pazar`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${path.join(dir, 'users')}`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 1000',
    'query_wait_timeout = 5',
    'server_check_delay = 5',
    'server_login_retry = 1',
    'tcp_user_timeout = 5000',
    '',
  ].join('\n')
}

/** The nginx sample without TLS, with the addresses and the folder of the trial. */
export function toNginxConfig(dir: string, port: number, webPorts: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${dir}/nginx-${name};\n`)
    .join('')
  const servers = webPorts.map((one) => `    server 127.0.0.1:${one} max_fails=1 fail_timeout=5s;\n`).join('')
  return replaceAll(readSample('nginx.conf'), [
    [/worker_processes auto/, 'worker_processes 1'],
    [/\/run\/nginx\.pid/, `${dir}/nginx.pid`],
    [/^http \{\n/m, `$&${temporary}`],
    [/access_log \/var\/log\/nginx\/access\.log json/, `access_log ${dir}/logs/nginx-access.log json`],
    // processes.start writes standard error to a log file.
    [/error_log \/var\/log\/nginx\/error\.log/, 'error_log stderr'],
    [/ {4}server web:3000 max_fails=1 fail_timeout=5s;\n/, servers],
    [/(?: {2}ssl_.*\n)+/, ''],
    [/ {2}server \{\n {4}listen 80 [^}]*\}\n/, ''],
    [/listen 443 ssl http2/, `listen 127.0.0.1:${port}`],
    [/ *listen \[::\]:443.*\n/, ''],
  ])
}
