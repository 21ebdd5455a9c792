// One callback to one shop: signed now, with the secret that is current now, sent once, and its outcome written down.
import { createHash } from 'node:crypto'
import { signCallback } from '@pazar/sdk'
import { scrubSecrets } from '../lib/scrub.ts'
import { toDate, toUnixSeconds } from '../lib/clock.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { openSecret } from '../secrets/secrets.ts'
import type { AttemptRecord, Claimed } from './claim-store.ts'
import { recordAttempt } from './claim-store.ts'
import type { PublicFetch } from './public-fetch.ts'
import { nextDelaySec } from './retry.ts'

export interface DeliveryDeps extends ProjectDeps {
  publicFetch: PublicFetch
}

/** Enough to recognise an error page by; more would be storing the shop's pages. */
const EXCERPT_MAX_BYTES = 4096

/** As text that cannot forge log lines or carry back what we sent: shops do echo whole requests. */
export function toExcerpt(body: Buffer): string | null {
  if (body.length === 0) return null
  // Cleaned before it is cut: half a secret would no longer look like one.
  const clean = Buffer.from(scrubSecrets(body.toString('utf8')))
  const text = clean.subarray(0, EXCERPT_MAX_BYTES).toString('utf8')
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) =>
    char === '\n' ? char : `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}

function toNext(claimed: Claimed, outcome: string, random: number): AttemptRecord['next'] {
  if (outcome === 'delivered') return { status: 'delivered', delaySec: null }
  const delaySec = nextDelaySec(claimed.mode, claimed.attempt, random)
  return delaySec === null ? { status: 'exhausted', delaySec: null } : { status: 'pending', delaySec }
}

export async function deliver(deps: DeliveryDeps, claimed: Claimed): Promise<void> {
  const startedMs = deps.clock.nowMs()
  const secret = openSecret(deps, claimed.projectId, claimed.mode, {
    sealed: claimed.sealed,
    version: claimed.secretVersion,
  })
  const signed = signCallback(claimed.facts, { secret, id: claimed.id, nowSec: toUnixSeconds(startedMs) })
  const body = Buffer.from(signed.body)
  const headers = { ...signed.headers, 'content-type': 'application/json', 'user-agent': 'Pazar-Callback/1' }
  const sent = await deps.publicFetch.post(claimed.url, headers, body)
  await recordAttempt(deps.db, {
    ...claimed,
    remoteIp: sent.remoteIp,
    startedAt: toDate(startedMs),
    durationMs: Math.round(sent.durationMs),
    outcome: sent.outcome,
    statusCode: sent.statusCode,
    error: sent.error,
    excerpt: toExcerpt(sent.responseBody),
    bodySha256: createHash('sha256').update(body).digest(),
    next: toNext(claimed, sent.outcome, Math.random()),
  })
}
