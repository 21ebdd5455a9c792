// Tells Pazar of a payment by itself, until it says 2xx. What is still untold when the process ends is not told again:
// Pazar asks for what it does not hear.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook } from '@pazar/sdk'

const TRIES_MAX = 6
/** Doubled after each try: 0.2 s, 0.4 s … */
const FIRST_PAUSE_MS = 200
/** Pazar answers in milliseconds; a socket that hangs must not hold the next message. */
const TIMEOUT_MS = 5_000

export interface WebhookTarget {
  url: string
  secret: string
  nowMs: () => number
}

/** Resolves when it was taken, or given up. */
export async function sendWebhook({ url, secret, nowMs }: WebhookTarget, payment: object): Promise<boolean> {
  const id = `evt_${randomUUID()}`
  const body = JSON.stringify(payment)
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const headers = signWebhook({ id, timestampSec: Math.floor(nowMs() / 1000), body, secret })
    if (await post(url, headers, body)) return true
    await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { ref: false })
  }
  return false
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // Why it did not arrive is lost; the next try will show whether it still matters.
    return false
  }
}
