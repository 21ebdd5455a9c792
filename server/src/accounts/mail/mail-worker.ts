// Sends the queued mails. While the mail server is down, mails stay queued and are retried for about three days.
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoop } from '../../lib/loop.ts'
import type { Loop } from '../../lib/loop.ts'
import type { MailDeps } from './deps.ts'
import { createMailTransport } from './mail-transport.ts'
import type { MailTransport } from './mail-transport.ts'
import { storedMail } from './mail.ts'
import type { LinkMailKind, StoredMail } from './mail.ts'
import { claimMail, recordFailure, recordSent } from './mails-store.ts'
import type { ClaimedMail } from './mails-store.ts'
import { renderMail } from './render-mail.ts'

const MINUTE_SEC = 60
const HOUR_SEC = 3600
/** Short at first, because a person may be waiting for a link. */
export const RETRY_AFTER_SEC: readonly number[] = [
  30,
  2 * MINUTE_SEC,
  10 * MINUTE_SEC,
  HOUR_SEC,
  6 * HOUR_SEC,
  12 * HOUR_SEC,
  24 * HOUR_SEC,
  24 * HOUR_SEC,
]

/** Short, because a person may be waiting for a link. */
const POLL_EVERY_MS = 1_000

/**
 * How long the worker retries to record that a mail was sent. This time is over before the lease (LEASE_SEC) ends. After
 * the lease, another worker may send the mail again.
 */
export const RECORD_WITHIN_MS = 90_000

export interface MailWorker {
  start(): void
  /** Claims no more mails. A started worker first finishes the mail that it is sending. */
  stop(): Promise<void>
  /** Sends the mails that are due. Returns how many mails it claimed, including failed and dropped mails. */
  runOnce(): Promise<number>
}

/** Returns only codes, because a server's messages can contain addresses. */
function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const status =
    'responseCode' in error && typeof error.responseCode === 'number' ? ` ${error.responseCode}` : ''
  return `${code}${status}`
}

function isLinkMail(mail: StoredMail): mail is StoredMail & { kind: LinkMailKind } {
  // Mails with a link are the only mails without a time.
  return !('at' in mail)
}

function openToken(deps: MailDeps, claimed: ClaimedMail): string | null {
  return claimed.sealedToken && (deps.mailTokens.open(claimed.sealedToken, claimed.id)?.toString() ?? null)
}

export interface MailWorkerOptions {
  isLinkUsable: (token: string) => Promise<boolean>
  /** Rejects when the signal is aborted. Tests replace this function. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

interface Sender {
  deps: MailDeps
  transport: MailTransport
  isLinkUsable: MailWorkerOptions['isLinkUsable']
}

async function sendMail(
  { deps, transport }: Sender,
  claimed: ClaimedMail,
  token: string | null,
): Promise<void> {
  const mail = storedMail.parse({ ...claimed.facts, kind: claimed.kind })
  if (isLinkMail(mail) && token === null) throw new Error('The sealed link cannot be opened.')
  await transport.send({
    ...renderMail(deps.config, claimed.locale, mail, token),
    id: claimed.id,
    kind: claimed.kind,
    from: deps.config.mailFrom,
    to: claimed.to,
    messageId: `${claimed.id}@${new URL(deps.config.baseUrl).hostname}`,
  })
}

/** Returns whether the mail was sent. Records any failure. */
async function trySending(sender: Sender, claimed: ClaimedMail): Promise<boolean> {
  const { deps } = sender
  const token = openToken(deps, claimed)
  // The link expired, was used or was voided while the mail was queued.
  if (token !== null && !(await sender.isLinkUsable(token))) {
    await recordFailure(deps.db, claimed, { error: 'link_over', retryInSec: null })
    deps.log.info({ mail: claimed.id, kind: claimed.kind }, 'mail dropped because its link no longer works')
    return false
  }
  try {
    await sendMail(sender, claimed, token)
    return true
  } catch (error) {
    const retryInSec = RETRY_AFTER_SEC[claimed.attempt - 1] ?? null
    const facts = {
      mail: claimed.id,
      kind: claimed.kind,
      attempt: claimed.attempt,
      error: toErrorText(error),
    }
    await recordFailure(deps.db, claimed, { error: facts.error, retryInSec })
    if (retryInSec === null) deps.log.error(facts, 'mail given up')
    else deps.log.warn({ ...facts, retryInSec }, 'mail not sent')
    return false
  }
}

export function createMailWorker(deps: MailDeps, options: MailWorkerOptions): MailWorker {
  const { isLinkUsable, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  const transport = createMailTransport(deps)
  const sender = { deps, transport, isLinkUsable }
  const stopping = new AbortController()
  let loop: Loop | null = null

  /** Retries for up to RECORD_WITHIN_MS, because a mail that is not recorded is sent again. */
  async function recordUntilDone(claimed: ClaimedMail): Promise<void> {
    const untilMs = performance.now() + RECORD_WITHIN_MS
    for (;;) {
      try {
        return await recordSent(deps.db, claimed)
      } catch (error) {
        if (stopping.signal.aborted || performance.now() > untilMs) throw error
        deps.log.warn(
          { err: error, mail: claimed.id },
          'a mail was sent but could not be recorded; recording will be retried',
        )
      }
      await wait(POLL_EVERY_MS, stopping.signal).catch(() => {
        // Only stop() ends the pause early, and the loop checks for that.
      })
    }
  }

  async function runOnce(): Promise<number> {
    for (let tried = 0; ; tried += 1) {
      const claimed = stopping.signal.aborted ? null : await claimMail(deps.db)
      if (!claimed) return tried
      if (await trySending(sender, claimed)) await recordUntilDone(claimed)
    }
  }

  return {
    start() {
      loop ??= startLoop({
        step: async () => void (await runOnce()),
        pollMs: POLL_EVERY_MS,
        onError: (error) => deps.log.warn({ err: error }, 'mails could not be claimed and will be retried'),
        wait,
      })
    },
    async stop() {
      stopping.abort()
      await loop?.stop()
      transport.close()
    },
    runOnce,
  }
}
