// Two PostgreSQL nodes with synchronous replication, which Patroni and etcd manage. HAProxy is in front of the nodes, and
// proxies can cut the network. Patroni and PostgreSQL of a node fail together, as if the machine failed.
import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startTcpProxy } from '../../server/test/tcp-proxy.ts'
import type { TcpProxy } from '../../server/test/tcp-proxy.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { needsEtcdV2, toHaproxyConfig, toPatroniConfig } from './config-files.ts'
import type { NodePorts } from './config-files.ts'
import { canWrite, createDatabase } from './database-store.ts'
import { signal, signalServer } from './process-tree.ts'
import { endProcess } from './processes.ts'
import type { Processes } from './processes.ts'
import { findDatabaseAccount } from './programs.ts'
import type { Programs } from './programs.ts'

export interface Node {
  name: string
  dir: string
  dataDir: string
  ports: NodePorts
  proxies: readonly TcpProxy[]
  patroni: ChildProcess | null
}

interface Member {
  name: string
  role: string
  state: string
}

/** Even on a busy machine, initdb, a base backup or a rewind takes less time than this. */
const READY_WITHIN_MS = 180_000
const REST_TIMEOUT_MS = 5_000

const toPort = (proxy: TcpProxy): number => Number(new URL(proxy.url).port)
const toLocalUrl = (port: number): string => `http://127.0.0.1:${port}`

async function readMembers(node: Node): Promise<Member[] | null> {
  try {
    const response = await fetch(`${toLocalUrl(node.ports.restApi)}/cluster`, {
      signal: AbortSignal.timeout(REST_TIMEOUT_MS),
    })
    return ((await response.json()) as { members?: Member[] }).members ?? null
  } catch {
    // The node is down, paused or starting. The caller tries the other node.
    return null
  }
}

export class Cluster {
  readonly nodes: readonly Node[]
  readonly password = randomBytes(16).toString('hex')
  private readonly haproxyPort: number
  private readonly programs: Programs
  private readonly processes: Processes
  private readonly etcd: ChildProcess
  private readonly usesEtcdV2: boolean
  private haproxy: ChildProcess | null = null
  /** Whether HAProxy closes sessions with a former primary. Null before the first start. */
  private closesOldSessions: boolean | null = null

  private constructor(parts: {
    nodes: readonly Node[]
    haproxyPort: number
    programs: Programs
    processes: Processes
    etcd: ChildProcess
    usesEtcdV2: boolean
  }) {
    this.etcd = parts.etcd
    this.usesEtcdV2 = parts.usesEtcdV2
    this.nodes = parts.nodes
    this.haproxyPort = parts.haproxyPort
    this.programs = parts.programs
    this.processes = parts.processes
  }

  static async start(programs: Programs, processes: Processes): Promise<Cluster> {
    const usesEtcdV2 = needsEtcdV2(execFileSync(programs.patroni, ['--version'], { encoding: 'utf8' }))
    const etcdPort = await freePort()
    const [client, peer] = [toLocalUrl(etcdPort), toLocalUrl(await freePort())]
    const etcd = processes.start('etcd', {
      file: programs.etcd,
      args: [
        ...['--name', 'etcd', '--data-dir', path.join(processes.dir, 'etcd'), '--log-level', 'warn'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', `etcd=${peer}`, ...(usesEtcdV2 ? ['--enable-v2'] : [])],
      ],
    })
    const nodes = await Promise.all(['db1', 'db2'].map((name) => makeNode(name, processes, etcdPort)))
    const cluster = new Cluster({
      nodes,
      haproxyPort: await freePort(),
      programs,
      processes,
      etcd,
      usesEtcdV2,
    })
    for (const node of nodes) cluster.startNode(node)
    await cluster.startHaproxy({ closesOldSessions: true })
    await createDatabase(cluster.toUrl, cluster.password)
    await cluster.untilHealthy()
    return cluster
  }

  /** The URL of a database through HAProxy. */
  readonly toUrl = (database: string, role: string): string =>
    `postgres://${role}:${this.password}@127.0.0.1:${this.haproxyPort}/${database}`

  startNode(node: Node): void {
    const config = path.join(node.dir, 'patroni.json')
    const { password, usesEtcdV2 } = this
    const { postgresDir } = this.programs
    const text = toPatroniConfig(node.ports, { dir: node.dir, postgresDir, password, usesEtcdV2 })
    writeFileSync(config, text, { mode: 0o644 })
    this.processes.registerDataDir(node.dataDir)
    node.patroni = this.processes.start(`patroni-${node.name}`, {
      file: this.programs.patroni,
      args: [config],
      account: findDatabaseAccount(),
    })
  }

  async startHaproxy({ closesOldSessions }: { closesOldSessions: boolean }): Promise<void> {
    if (this.closesOldSessions === closesOldSessions) return
    this.closesOldSessions = closesOldSessions
    if (this.haproxy) await endProcess(this.haproxy, 'SIGTERM')
    const file = path.join(this.processes.dir, 'haproxy.cfg')
    const ports = this.nodes.map((node) => node.ports)
    writeFileSync(file, toHaproxyConfig(this.haproxyPort, ports, closesOldSessions))
    this.haproxy = this.processes.start('haproxy', { file: this.programs.haproxy, args: ['-db', '-f', file] })
  }

  async readMembers(): Promise<Member[]> {
    for (const node of this.nodes) {
      const members = await readMembers(node)
      if (members) return members
    }
    return []
  }

  private async findByRole(isWanted: (role: string) => boolean): Promise<Node | null> {
    const found = (await this.readMembers()).find(({ role }) => isWanted(role))
    return this.nodes.find(({ name }) => name === found?.name) ?? null
  }

  async untilPrimary(): Promise<Node> {
    return until(() => this.findByRole((role) => role === 'leader'), 'there is a primary', READY_WITHIN_MS)
  }

  /** Returns the node that is not the primary, even if the node does not run. */
  async untilStandby(): Promise<Node> {
    const primary = await this.untilPrimary()
    return this.nodes.find((node) => node !== primary)!
  }

  async untilHealthy(): Promise<void> {
    await until(
      async () => {
        const members = await this.readMembers()
        const has = (role: string, states: readonly string[]) =>
          members.some((one) => one.role === role && states.includes(one.state))
        const isHealthy = has('leader', ['running']) && has('sync_standby', ['running', 'streaming'])
        return isHealthy && canWrite(this.toUrl)
      },
      'the cluster has a primary and a synchronous standby',
      READY_WITHIN_MS,
    )
  }

  async switchOver(): Promise<void> {
    const primary = await this.untilPrimary()
    const standby = await this.untilStandby()
    const response = await fetch(`${toLocalUrl(primary.ports.restApi)}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
    })
    if (!response.ok) throw new Error(`Patroni refuses the switchover: ${await response.text()}`)
  }

  async kill(node: Node): Promise<void> {
    await endProcess(node.patroni!, 'SIGKILL')
    signalServer(node.dataDir, 'SIGKILL')
  }

  pause(node: Node): void {
    signal(node.patroni!.pid!, 'SIGSTOP')
    signalServer(node.dataDir, 'SIGSTOP')
  }

  resume(node: Node): void {
    signalServer(node.dataDir, 'SIGCONT')
    signal(node.patroni!.pid!, 'SIGCONT')
  }

  pauseEtcd(): void {
    signal(this.etcd.pid!, 'SIGSTOP')
  }

  resumeEtcd(): void {
    signal(this.etcd.pid!, 'SIGCONT')
  }

  /** HAProxy and the other node cannot reach the node, and the node cannot reach etcd. No connection is closed. */
  cut(node: Node): void {
    for (const proxy of node.proxies) proxy.goSilent()
  }

  reconnect(node: Node): void {
    for (const proxy of node.proxies) proxy.resume()
  }
}

async function makeNode(name: string, processes: Processes, etcdPort: number): Promise<Node> {
  const dir = path.join(processes.dir, name)
  mkdirSync(dir, { mode: 0o700 })
  const account = findDatabaseAccount()
  if (account) chownSync(dir, account.uid, account.gid)
  const [postgres, restApi] = [await freePort(), await freePort()]
  const proxies = await Promise.all(
    [postgres, restApi, etcdPort].map((port) => startTcpProxy(toLocalUrl(port))),
  )
  const [postgresProxy = 0, restApiProxy = 0, etcdProxy = 0] = proxies.map(toPort)
  const ports = { name, postgres, restApi, postgresProxy, restApiProxy, etcdProxy }
  return { name, dir, dataDir: path.join(dir, 'data'), ports, proxies, patroni: null }
}
