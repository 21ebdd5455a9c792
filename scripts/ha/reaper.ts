// Ends everything that a trial has started, even after a crash or `kill -9` of the trial. The trial writes its
// processes and directories to a pipe, and the reaper acts when the pipe is closed.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProcess, isStillRunning } from '../../server/src/db/embedded-process.ts'
import { findPostmasterPid, signal, signalServer } from './process-tree.ts'
import type { Entry } from './processes.ts'

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)

const started = new Map<number, string>()
const dataDirs = new Set<string>()
let dirToRemove: string | null = null

for await (const line of createInterface({ input: process.stdin })) {
  const entry = JSON.parse(line) as Entry
  if ('pid' in entry) started.set(entry.pid, entry.startedAt)
  else if ('dataDir' in entry) dataDirs.add(entry.dataDir)
  else dirToRemove = entry.remove
}

const ENDS_WITHIN_MS = 10_000
const POLL_EVERY_MS = 50

async function waitUntilGone(pids: readonly number[]): Promise<boolean> {
  const deadline = performance.now() + ENDS_WITHIN_MS
  while (pids.some((pid) => findProcess(pid) !== null)) {
    if (performance.now() > deadline) return false
    await sleep(POLL_EVERY_MS)
  }
  return true
}

// A paused process cannot end before SIGCONT. Processes such as Patroni get their signals first, and the PostgreSQL servers
// last, because a running Patroni would start PostgreSQL again.
const running = [...started].filter(([pid, startedAt]) => isStillRunning(pid, startedAt)).map(([pid]) => pid)
for (const pid of running) {
  // SIGTERM, because nginx would leave its workers running after SIGKILL.
  signal(pid, 'SIGTERM')
  signal(pid, 'SIGCONT')
}
const servers = [...dataDirs].map(findPostmasterPid).filter((pid) => pid !== null)
for (const dataDir of dataDirs) signalServer(dataDir, 'SIGCONT')
for (const pid of servers) signal(pid, 'SIGQUIT')
await sleep(POLL_EVERY_MS)
if (!(await waitUntilGone(running))) for (const pid of running) signal(pid, 'SIGKILL')
// Patroni may have started PostgreSQL again before Patroni ended.
const lateServers = [...dataDirs].map(findPostmasterPid).filter((pid) => pid !== null)
for (const pid of lateServers) signal(pid, 'SIGQUIT')
if (!(await waitUntilGone([...servers, ...lateServers])))
  for (const dataDir of dataDirs) signalServer(dataDir, 'SIGKILL')
if (dirToRemove !== null) rmSync(dirToRemove, { recursive: true, force: true })
