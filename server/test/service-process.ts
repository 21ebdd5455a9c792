// Starts the service in a separate process with the settings of a test, and waits until it is ready.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { isPortFree } from '../src/demo/shop-process.ts'
import { SERVICE_FLAGS } from './v8-flags.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** Browsers refuse some ports; the highest of them is 10080. */
const LOWEST_PORT = 10_082

/** Ports that were already tried. A caller that got one of them has perhaps not opened it yet. */
const usedPorts = new Set<number>()

/**
 * Returns a free port. The next port is also free, so the demo's shop can use it. Both ports are below the range for
 * outgoing connections, because an outgoing connection could take a port in that range first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + 2 * randomInt(10_000)
    if (usedPorts.has(port)) continue
    usedPorts.add(port)
    if ((await isPortFree(port)) && (await isPortFree(port + 1))) return port
  }
}

export interface ServiceProcess {
  baseUrl: string
  shopUrl: string
  payLink: string
  email: string
  password: string
  child: ChildProcess
  output(): string
  stop(): Promise<number | null>
  kill(): Promise<void>
}

function toFact(output: string, label: string): string {
  return new RegExp(`${label}\\s+(\\S.*)`).exec(output)?.[1]?.trim() ?? ''
}

export interface StartOptions {
  /** The folder of the release to start; this release by default. */
  root?: string
  /** A bundle built from `root`, which starts faster than the sources. */
  main?: string
  onSpawn?: (child: ChildProcess) => void
  onOutput?: (child: ChildProcess, output: string) => void
}

export async function startServiceProcess(
  env: Record<string, string>,
  { root = ROOT, main, onSpawn, onOutput }: StartOptions = {},
): Promise<ServiceProcess> {
  const port = env['PORT'] ?? (await freePort())
  // The runner's bundle starts faster than the sources. It is not used for another release or for a planted bug.
  const bundle = process.env['PAZAR_TEST_SERVICE']
  const program =
    main ?? (bundle?.startsWith(`${root}${path.sep}`) ? bundle : path.join(root, 'server/src/main.ts'))
  const child = spawn(
    process.execPath,
    [...SERVICE_FLAGS, '--require', path.join(root, 'scripts/preload.cjs'), program],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onSpawn?.(child)
  let output = ''
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8')
      onOutput?.(child, output)
      // A log line may follow in the same chunk.
      if (/Pazar is ready[^]*\n\n/.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)),
    )
  })
  const [email = '', password = ''] = toFact(output, 'Demo sign-in').split(' / ')
  return {
    baseUrl: `http://localhost:${port}`,
    shopUrl: toFact(output, 'Demo shop'),
    payLink: toFact(output, 'A pay link'),
    email,
    password,
    child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code as number | null
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
