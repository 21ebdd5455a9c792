// The reference upstream as a separate process, with a ledger that survives a restart. It keeps its port, as a real
// upstream keeps its address.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './service-process.ts'

const MAIN = path.join(import.meta.dirname, '../../examples/upstream/src/main.ts')
/** With the compile cache it starts in a third of the time. */
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
  /** The payer's action on the bank's page. */
  actAtBank: (id: string, outcome: 'approve' | 'decline') => Promise<void>
  /** A person refunds at the bank. */
  refundAtBank: (id: string, amount: bigint) => Promise<void>
  /** A payer disputes a payment at the bank, or the bank moves the dispute on. By default it is about all of it. */
  disputeAtBank: (id: string, fields: { status: string; amount?: bigint }) => Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and deletes its ledger. */
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
  options: { webhookUrl?: string; money?: Record<string, string> } = {},
): Promise<UpstreamProcess> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-upstream-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PORT: String(port),
    BACKEND_SECRET: UPSTREAM_SECRET,
    LEDGER_FILE: path.join(dir, 'ledger.jsonl'),
    ...options.money,
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
