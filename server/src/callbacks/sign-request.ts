// Builds the exact bytes of a callback and signs them.
import { buildCallback, signWebhook } from '@pazar/sdk'
import { toUnixSeconds } from '../lib/clock.ts'
import { openCachedSecret } from '../secrets/secrets.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import type { CallbackDeps } from './deps.ts'

export interface SignedRequest {
  body: string
  headers: Record<string, string>
  /** The secret, and the hash and the signature made with it. No log may contain them, even if a merchant sends them back. */
  signatures: string[]
}

export const CALLBACK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Pazar-Callback/1' }

type Signable = Pick<OutgoingCallback, 'projectId' | 'mode' | 'id' | 'facts' | 'sealed' | 'secretVersion'>

export function signRequest(
  deps: Pick<CallbackDeps, 'secretBox' | 'clock'>,
  callback: Signable,
): SignedRequest {
  const { projectId, mode, id, facts, sealed, secretVersion: version } = callback
  const secret = openCachedSecret(deps, projectId, mode, { sealed, version })
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  const { body, hash } = buildCallback(facts, { secret, id, iatSec: nowSec })
  const headers = signWebhook({ id, timestampSec: nowSec, body, secret })
  const mac = headers['webhook-signature'].slice('v1,'.length)
  return {
    body,
    headers: Object.assign(headers, CALLBACK_HEADERS),
    signatures: [secret, hash, mac],
  }
}
