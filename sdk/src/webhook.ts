// The three headers of Standard Webhooks. The signature covers the id, the timestamp and the exact bytes of the body. The
// key is the whole secret as UTF-8 bytes. Libraries of Standard Webhooks call this key format "raw".
import { findHeader } from './headers.ts'
import type { HeaderSource } from './headers.ts'
import { WEBHOOK_TOLERANCE_SEC } from './limits.ts'
import { createMac, createMacText, decodeCanonical, isSameMac } from './mac.ts'
import { requireSecret } from './secret.ts'

export type WebhookHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

export interface WebhookToSign {
  readonly id: string
  readonly timestampSec: number
  readonly body: string | Uint8Array
  readonly secret: string
}

export interface WebhookVerifyOptions {
  readonly secret: string
  readonly nowSec: number
  readonly toleranceSec?: number | undefined
}

export type WebhookResult =
  | { readonly ok: true; readonly id: string; readonly timestampSec: number }
  | { readonly ok: false; readonly reason: 'bad_signature' | 'expired' }

// One signature has 47 characters, and a sender that rotates its key sends two.
const SIGNATURE_HEADER_LENGTH_MAX = 1024
// No dot, because the signed text is id.timestamp.body: with a dot in the id, two messages could have the same text.
export const WEBHOOK_ID_PATTERN = /^[!-\-/-~]{1,256}$/
export const WEBHOOK_TIMESTAMP_PATTERN = /^[1-9][0-9]{0,11}$/

export function signWebhook(webhook: WebhookToSign): WebhookHeaders {
  const { id, timestampSec, body, secret } = webhook
  const timestamp = String(timestampSec)
  if (!WEBHOOK_ID_PATTERN.test(id))
    throw new TypeError('A webhook id has 1 to 256 visible characters and no dot.')
  if (!WEBHOOK_TIMESTAMP_PATTERN.test(timestamp))
    throw new TypeError('A webhook timestamp is whole unix seconds.')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createMacText(secret, 'base64', `${id}.${timestamp}.`, body)}`,
  }
}

/** `expired` means a valid signature with a timestamp too far in the past or the future. */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: WebhookVerifyOptions,
): WebhookResult {
  requireSecret(options.secret)
  const id = findHeader(headers, 'webhook-id')
  const timestamp = findHeader(headers, 'webhook-timestamp')
  const signatures = findHeader(headers, 'webhook-signature')
  if (id === null || !WEBHOOK_ID_PATTERN.test(id)) return { ok: false, reason: 'bad_signature' }
  if (timestamp === null || !WEBHOOK_TIMESTAMP_PATTERN.test(timestamp))
    return { ok: false, reason: 'bad_signature' }
  const expected = createMac(options.secret, `${id}.${timestamp}.`, rawBody)
  if (!listsMac(signatures, expected)) return { ok: false, reason: 'bad_signature' }

  const timestampSec = Number(timestamp)
  // If nowSec or toleranceSec is NaN, this comparison is false, so the webhook is refused.
  const isFresh = Math.abs(options.nowSec - timestampSec) <= (options.toleranceSec ?? WEBHOOK_TOLERANCE_SEC)
  return isFresh ? { ok: true, id, timestampSec } : { ok: false, reason: 'expired' }
}

function listsMac(header: string | null, expected: Uint8Array): boolean {
  if (header === null || header.length > SIGNATURE_HEADER_LENGTH_MAX) return false
  // The standard requires that entries of other versions are skipped.
  return header
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .some((entry) => isSameMac(expected, decodeCanonical(entry.slice(3), 'base64')))
}
