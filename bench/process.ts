// Starts scripts as separate processes, so that the load generator does not share their event loop.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort } from '../server/test/service-process.ts'

const ROOT = path.join(import.meta.dirname, '..')

export interface RunningProcess {
  origin: string
  pid: number
  child: ChildProcess
  stop(): Promise<void>
}

/** The processes that `stopProcesses` stops, also after a failed benchmark row. */
const started = new Set<RunningProcess>()

export async function stopProcesses(): Promise<void> {
  await Promise.all([...started].map((one) => one.stop()))
}

/** Starts a script with PORT set, and waits until the script prints `ready`. */
export async function startProcess(
  script: string,
  ready: string,
  env: Record<string, string>,
): Promise<RunningProcess> {
  const port = await freePort()
  const preload = ['--require', path.join(ROOT, 'scripts/preload.cjs')]
  const child = spawn(process.execPath, [...preload, path.join(ROOT, script)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes(ready)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}: ${text}`)))
  })
  const running: RunningProcess = {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    child,
    async stop() {
      started.delete(running)
      child.kill('SIGTERM')
      await exited
    },
  }
  started.add(running)
  return running
}
