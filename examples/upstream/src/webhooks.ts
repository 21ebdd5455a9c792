// Sends a webhook until Pazar responds with 2xx, at most six times.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook } from '@pazar/sdk'

const ATTEMPTS_MAX = 6
/** The pause after the first attempt. Each further attempt doubles the pause. */
const FIRST_PAUSE_MS = 200
const TIMEOUT_MS = 5_000

export interface WebhookTarget {
  url: string
  secret: string
  nowMs: () => number
}

/** True if the webhook was accepted. */
export async function sendWebhook({ url, secret, nowMs }: WebhookTarget, payment: object): Promise<boolean> {
  const id = `evt_${randomUUID()}`
  const body = JSON.stringify(payment)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const headers = signWebhook({ id, timestampSec: Math.floor(nowMs() / 1000), body, secret })
    if (await post(url, headers, body)) return true
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { ref: false })
  }
  return false
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    // After any error, the caller tries again.
    return false
  }
}
