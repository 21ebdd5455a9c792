// Builds a signed payment callback for the merchant's unit tests.
import { randomUUID } from 'node:crypto'
import { signCallback } from './callback-build.ts'
import type { CallbackFacts, SignedCallback } from './callback-build.ts'
import { readNowSec, toIsoTime } from './clock.ts'
import { findSecretMode } from './secret.ts'

export interface TestCallbackOptions extends Partial<CallbackFacts> {
  /** The secret that the code under test uses. By default its prefix sets the mode. */
  readonly secret: string
  /** The webhook-id. Two callbacks with the same id stand for one callback that is sent twice. */
  readonly id?: string
  /** When the callback is signed, by default now. A time in the past makes a callback that is too old. */
  readonly nowSec?: number
}

export function signTestCallback(options: TestCallbackOptions): SignedCallback {
  const {
    secret,
    nowSec = readNowSec(),
    id = `msg_${makeId(nowSec).replaceAll('-', '')}`,
    ...facts
  } = options
  return signCallback(
    {
      status: 'success',
      projectId: 'tz4a98xxat96iws9zmbrgj3a',
      transactionId: makeId(nowSec),
      amount: '1500',
      currency: 'EUR',
      mode: findSecretMode(secret) ?? 'test',
      createdAt: toIsoTime(nowSec),
      ...(facts.status === 'fail' ? { failureCode: 'declined' } : {}),
      ...facts,
    },
    { secret, id, nowSec },
  )
}

// UUIDv7: 48 bits of milliseconds, then random bits.
function makeId(nowSec: number): string {
  const time = (nowSec * 1000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
