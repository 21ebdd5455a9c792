// Attempts are counted before the password or code is checked, so parallel guesses gain nothing. Attempts during a
// lockout do not count.
import { createHash } from 'node:crypto'
import type { Db, Queryable, Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { AccountId } from './account.ts'
import { deleteBuckets, findDeviceNames, releaseSlot, reserveSlot } from './lockout-store.ts'
import type { Allowance } from './lockout-store.ts'

/** The name of a counter of attempts. */
export type Bucket = string & { readonly brand: 'Bucket' }

/** The address is hashed, because most guessed addresses belong to people without an account here. */
export function emailBucket(emailKey: string): Bucket {
  return `email:${createHash('sha256').update(emailKey).digest('hex')}` as Bucket
}

/** Known browsers are counted separately, so that a stranger's attempts cannot lock them out. */
function deviceBucket(accountId: AccountId, deviceHash: Buffer): Bucket {
  return toDeviceBucket(accountId, deviceHash.toString('hex'))
}

function toDeviceBucket(accountId: AccountId, device: string): Bucket {
  return `device:${accountId}:${device}` as Bucket
}

export function signInBucket(
  emailKey: string,
  knownDevice: { accountId: AccountId; deviceHash: Buffer } | null,
): Bucket {
  return knownDevice ? deviceBucket(knownDevice.accountId, knownDevice.deviceHash) : emailBucket(emailKey)
}

export function stepUpBucket(accountId: AccountId): Bucket {
  return `step-up:${accountId}` as Bucket
}

/** Codes are counted per account, so that another browser or session gives no further attempts. */
export function codeBucket(accountId: AccountId): Bucket {
  return `code:${accountId}` as Bucket
}

export function codeDayBucket(accountId: AccountId): Bucket {
  return `code-day:${accountId}` as Bucket
}

export function forgotBucket(by: 'email' | 'network', key: string): Bucket {
  return `forgot-${by}:${createHash('sha256').update(key).digest('hex')}` as Bucket
}

export function emailChangeBucket(accountId: AccountId): Bucket {
  return `email-change:${accountId}` as Bucket
}

/** Counts the invitations to one project, or the invitations that one account sends. */
export function inviteBucket(id: string): Bucket {
  return `invite:${id}` as Bucket
}

export function receiptBucket(by: 'mailbox' | 'network', key: string): Bucket {
  return `receipt-${by}:${createHash('sha256').update(key).digest('hex')}` as Bucket
}

/**
 * Counts an attempt in the bucket, then runs the check. If the bucket has no attempts left, throws `locked_out` instead.
 * Success clears the bucket, unless a second factor is still to be checked.
 */
export async function checkWithLockout(
  db: Db,
  bucket: Bucket,
  check: () => Promise<boolean>,
  { isFirstFactor = false } = {},
): Promise<boolean> {
  const reservation = await reserveSlot(db, bucket)
  if (reservation.slot === null) {
    throw new ServiceError('locked_out', { retryAfterSec: reservation.retryAfterSec })
  }
  let isCorrect: boolean
  try {
    isCorrect = await check()
  } catch (error) {
    // The check did not finish, so the attempt does not count.
    await releaseSlot(db, bucket, reservation.slot)
    throw error
  }
  if (isCorrect && !isFirstFactor) await deleteBuckets(db, [bucket])
  return isCorrect
}

/** Attempts are counted in the database, so the limit holds over all replicas and restarts. */
export async function limitInDatabase(db: Queryable, bucket: Bucket, allowance: Allowance): Promise<void> {
  const reservation = await reserveSlot(db, bucket, allowance)
  if (reservation.slot === null)
    throw new ServiceError('rate_limited', { retryAfterSec: reservation.retryAfterSec })
}

/** Called when the owner has proved access to the mailbox. Does not clear the lockout of codes. */
export async function clearLockouts(tx: Tx, accountId: AccountId, emailKey: string): Promise<void> {
  const devices = await findDeviceNames(tx, accountId)
  const ofDevices = devices.map((device) => toDeviceBucket(accountId, device))
  await deleteBuckets(tx, [emailBucket(emailKey), stepUpBucket(accountId), ...ofDevices])
}
