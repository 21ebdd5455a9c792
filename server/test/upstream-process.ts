// Starts the reference upstream (examples/upstream) in a separate process. After a restart it has the same ledger and the
// same port.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './service-process.ts'

const MAIN = path.join(import.meta.dirname, '../../examples/upstream/src/main.ts')
/** This file turns on the compile cache, so the process starts three times as fast. */
const PRELOAD = path.join(import.meta.dirname, '../../scripts/preload.cjs')

export const UPSTREAM_SECRET = 'upstream-secret-for-tests-0123456789abcdef'

export interface UpstreamPayment {
  id: string
  amount: string
  currency: string
  projectId: string | null
  customId: string | null
  status: string
  chargeId: string | null
}

export interface UpstreamBooks {
  payments: UpstreamPayment[]
  charges: { chargeId: string; paymentId: string; amount: string; currency: string }[]
  refunds: { id: string; paymentId: string; amount: string; currency: string; status: string }[]
}

export interface UpstreamProcess {
  url: string
  /** Settings for the service: the upstream, its URL and the shared secret. */
  env: Record<string, string>
  books(): Promise<UpstreamBooks>
  actAtBank: (id: string, outcome: 'approve' | 'decline') => Promise<void>
  /** Refunds a payment directly at the upstream, without a request to Pazar. */
  refundAtBank: (id: string, amount: bigint) => Promise<void>
  /** Opens a dispute of a payment, or changes the status of the existing dispute. The default amount is the whole amount. */
  disputeAtBank: (id: string, fields: { status: string; amount?: bigint }) => Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

async function launch(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--require', PRELOAD, MAIN], {
    env: { ...env, UPSTREAM_EXIT_WITH_PARENT: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the upstream ended with ${code} before it was ready`)))
  })
  return child
}

export async function startUpstream(
  options: { webhookUrl?: string; moneyEnv?: Record<string, string> } = {},
): Promise<UpstreamProcess> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-upstream-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PORT: String(port),
    BACKEND_SECRET: UPSTREAM_SECRET,
    LEDGER_FILE: path.join(dir, 'ledger.jsonl'),
    ...options.moneyEnv,
    ...(options.webhookUrl ? { WEBHOOK_URL: options.webhookUrl } : {}),
  }
  let child: ChildProcess | null = await launch(settings)

  async function kill(): Promise<void> {
    if (!child) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    child = null
  }

  return {
    url,
    env: { BACKEND: 'http', BACKEND_URL: url, BACKEND_SECRET: UPSTREAM_SECRET },
    books: async () => (await (await fetch(`${url}/ledger`)).json()) as UpstreamBooks,
    async actAtBank(id, outcome) {
      const body = new URLSearchParams({ outcome })
      await fetch(`${url}/bank/${id}`, { method: 'POST', body, redirect: 'manual' })
    },
    async refundAtBank(id, amount) {
      const body = new URLSearchParams({ amount: String(amount) })
      await fetch(`${url}/bank/${id}/refunds`, { method: 'POST', body })
    },
    async disputeAtBank(id, { status, amount }) {
      const body = new URLSearchParams({ status, ...(amount !== undefined && { amount: String(amount) }) })
      await fetch(`${url}/bank/${id}/disputes`, { method: 'POST', body })
    },
    kill,
    async start() {
      child ??= await launch(settings)
    },
    async stop() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
