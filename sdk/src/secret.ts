// Checks the project's secrets and their mode.
import { Buffer } from 'node:buffer'
import { PazarError } from './errors.ts'

export type Mode = 'live' | 'test'

// The output length of HMAC-SHA256. node:crypto would accept even an empty key.
export const SECRET_BYTES_MIN = 32

/** The message never quotes the secret. */
export class SecretError extends PazarError {
  override readonly name = 'SecretError'

  constructor(message: string) {
    super('invalid_secret', message)
  }
}

/** Takes unknown, because JavaScript callers may pass undefined. */
export function requireSecret(secret: unknown): string {
  if (typeof secret !== 'string') {
    throw new SecretError('The project secret is missing: it must be a string, sk_live_… or sk_test_….')
  }
  const bytes = Buffer.byteLength(secret, 'utf8')
  if (bytes < SECRET_BYTES_MIN) {
    throw new SecretError(
      `The project secret is too short: it has ${bytes} bytes, at least ${SECRET_BYTES_MIN} are needed.`,
    )
  }
  return secret
}

/**
 * One secret, or several during a rotation. The first secret signs. A callback may be signed with any of them. To rotate:
 * prepare the next secret in the portal, pass both, rotate, then remove the old secret.
 */
export type Secrets = string | readonly string[]

/** Throws if there is no secret, or if one of the secrets is not usable. */
export function requireSecrets(secret: Secrets): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(secret) ? secret : [secret]
  return [requireSecret(first), ...others.map(requireSecret)]
}

/** Null for a secret without a known prefix. */
export function findSecretMode(secret: string): Mode | null {
  if (secret.startsWith('sk_live_')) return 'live'
  if (secret.startsWith('sk_test_')) return 'test'
  return null
}

/** The error text if secret and mode do not match, otherwise null. */
export function findModeConflict(secret: string, mode: Mode): string | null {
  const secretMode = findSecretMode(secret)
  if (secretMode === null || secretMode === mode) return null
  return secretMode === 'test'
    ? 'This is a live call and the secret given is a test secret (sk_test_…): use the live secret, sk_live_….'
    : 'This is a test call and the secret given is a live secret (sk_live_…): use the test secret, sk_test_….'
}

export function requireSecretOfMode(secret: string, mode: Mode | undefined): void {
  requireSecret(secret)
  const conflict = mode === undefined ? null : findModeConflict(secret, mode)
  if (conflict !== null) throw new SecretError(conflict)
}
