import assert from 'node:assert/strict'
import { toTotpCode, toTotpStep } from '../src/accounts/totp.ts'
import { rows } from './accounts.ts'
import type { Client } from './client.ts'
import type { TestService } from './harness.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

export class AuthenticatorApp {
  readonly secret: string

  constructor(secret: string) {
    this.secret = secret
  }

  codeAt(ms: number): string {
    return toTotpCode(fromBase32(this.secret), toTotpStep(ms))
  }

  code(): string {
    return this.codeAt(Date.now())
  }
}

/** Adds an authenticator app to the account of `owner`, who must have stepped up before. */
export async function addApp(
  service: Pick<TestService, 'deps'>,
  owner: Client,
): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const offer = await owner.post('/portal/api/totp')
  assert.equal(offer.status, 200, offer.text)
  const app = new AuthenticatorApp(offer.json<{ secret: string }>().secret)
  const confirmed = await owner.post('/portal/api/totp/confirm', { code: app.code() })
  assert.equal(confirmed.status, 200, confirmed.text)
  await forgetUsedCodes(service)
  return { app, recoveryCodes: confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes }
}

/** Makes the app's current code usable again, so that a test does not have to wait for the next code. */
export async function forgetUsedCodes({ deps }: Pick<TestService, 'deps'>): Promise<void> {
  await rows(deps.db, 'update totp_factors set last_step = 0')
}
