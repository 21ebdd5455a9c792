// Receives a callback in the inbox of a project that has no server yet, and verifies it with the SDK as a merchant's
// server would.
import { safeVerifyCallback } from '@pazar/sdk'
import { toUnixSeconds } from '../lib/clock.ts'
import { readSecret } from '../secrets/secrets.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import type { CallbackDeps } from './deps.ts'
import { insertInboxRequest } from './inbox-store.ts'
import type { SignedRequest } from './sign-request.ts'

/** Logged as the error of an attempt. deliveries/explain.ts finds the explanation for the merchant by these texts. */
export const IN_INBOX = 'stored in the inbox'
export const LIVE_INBOX = 'the inbox takes no live callbacks'

/** False for live callbacks in production, because results of real payments must reach the merchant's server. */
export function isInboxOpen(
  { config }: Pick<CallbackDeps, 'config'>,
  { mode }: Pick<OutgoingCallback, 'mode'>,
): boolean {
  return mode === 'test' || !config.production
}

export async function receive(
  deps: CallbackDeps,
  callback: OutgoingCallback,
  request: SignedRequest,
): Promise<void> {
  const { projectId, mode, event, facts } = callback
  const { ok } = await safeVerifyCallback(request.body, request.headers, {
    // If the secret was rotated after the callback was signed, the signature is wrong, as on a real server.
    secret: await readSecret(deps, deps.db, projectId, mode),
    projectId,
    mode,
    events: event === 'payment.result' ? [] : [event],
    expectedAmount: facts.amount,
    nowSec: toUnixSeconds(deps.clock.nowMs()),
  })
  const stored = mode === 'test' ? request : withoutSignatures(request)
  await insertInboxRequest(deps.db, callback, { headers: stored.headers, body: stored.body, verified: ok })
}

/** Signatures made with a live secret are not stored. */
function withoutSignatures({
  headers,
  body,
  signatures,
}: SignedRequest): Pick<SignedRequest, 'headers' | 'body'> {
  const mask = (text: string) => signatures.reduce((rest, one) => rest.replaceAll(one, '[removed]'), text)
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)])),
    body: mask(body),
  }
}
