// Argon2id with the second of the parameter sets that OWASP recommends. A password hash is stored as a PHC string, which
// contains the parameters, so that they can be raised later.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createLimiter } from '../lib/limiter.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
  /** For an unknown email address: costs as much as `verify` and always returns false. */
  verifyNothing(password: string): Promise<false>
  /** How many hashes were computed so far; for tests. */
  evaluations(): number
}

/**
 * Each hash takes 19 MiB and a CPU core, so only two hashes are computed at a time. Otherwise a burst of sign-ins could slow
 * down payers. Two of libuv's four threads stay free for files and DNS. A queue of 64 takes about 2 s.
 */
export const PASSWORD_WORK = { concurrency: 2, queueMax: 64 }
/** About as long as a full queue takes. */
const RETRY_AFTER_SEC = 2

export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

const argon2Async = promisify(argon2)

/** Systems encode a letter in several ways: š is one character, or s and a caron. So passwords are hashed in NFKC form. */
function toBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

function toPhcBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function toPhc(cost: PasswordCost, salt: Buffer, tag: Buffer): string {
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  return `$argon2id$v=19$${parameters}$${toPhcBase64(salt)}$${toPhcBase64(tag)}`
}

function parsePhc(text: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } {
  const parts = PHC.exec(text)
  if (!parts) throw new Error('A stored password hash is not an argon2id PHC string.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

export function createPasswords(
  bounds: { concurrency: number; queueMax: number },
  cost: PasswordCost = COST,
): Passwords {
  const limiter = createLimiter({ ...bounds, retryAfterSec: RETRY_AFTER_SEC, name: 'passwords' })
  let evaluations = 0

  async function derive(
    password: string,
    costOfHash: PasswordCost,
    salt: Buffer,
    tagLength: number,
  ): Promise<Buffer> {
    const message = toBytes(password)
    return limiter.run(() => {
      evaluations += 1
      return argon2Async('argon2id', { message, nonce: salt, tagLength, ...costOfHash })
    })
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return toPhc(cost, salt, await derive(password, cost, salt, TAG_BYTES))
    },
    async verify(password, hash) {
      const { cost: stored, salt, tag } = parsePhc(hash)
      return timingSafeEqual(await derive(password, stored, salt, tag.length), tag)
    },
    async verifyNothing(password) {
      await derive(password, cost, randomBytes(SALT_BYTES), TAG_BYTES)
      return false
    },
    evaluations: () => evaluations,
  }
}
