// Five tries in 15 minutes, then none until the oldest is 15 minutes old. A try is counted before it is made, so a
// storm of parallel guesses gets no more than a patient one; refused tries neither count nor extend.
import { createHash } from 'node:crypto'
import type { Db, Queryable, Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { AccountId } from './account.ts'
import { deleteBuckets, findDeviceNames, giveSlotBack, reserveSlot } from './lockout-store.ts'
import type { Allowance } from './lockout-store.ts'

export type Bucket = string & { readonly brand: 'Bucket' }

/** Hashed, because most addresses that are tried belong to people who have no account here. */
export function emailBucket(emailKey: string): Bucket {
  return `email:${createHash('sha256').update(emailKey).digest('hex')}` as Bucket
}

/** A browser the owner has signed in from counts for itself, so that a stranger's tries cannot lock it out. */
export function deviceBucket(accountId: AccountId, deviceHash: Buffer): Bucket {
  return toDeviceBucket(accountId, deviceHash.toString('hex'))
}

function toDeviceBucket(accountId: AccountId, device: string): Bucket {
  return `device:${accountId}:${device}` as Bucket
}

export function stepUpBucket(accountId: AccountId): Bucket {
  return `step-up:${accountId}` as Bucket
}

/** Requests for a reset link, by mailbox or by network; hashed for the same reason. */
export function forgotBucket(by: 'email' | 'network', key: string): Bucket {
  return `forgot-${by}:${createHash('sha256').update(key).digest('hex')}` as Bucket
}

/** Runs the check inside a reserved slot; a right answer clears the bucket. */
export async function attempt(db: Db, bucket: Bucket, check: () => Promise<boolean>): Promise<boolean> {
  const reservation = await reserveSlot(db, bucket)
  if (reservation.slot === null) {
    throw new ServiceError('locked_out', { retryAfterSec: reservation.retryAfterSec })
  }
  let right: boolean
  try {
    right = await check()
  } catch (error) {
    // No verdict was reached (the queue was full), so nothing was learned and nothing is owed.
    await giveSlotBack(db, bucket, reservation.slot)
    throw error
  }
  if (right) await deleteBuckets(db, [bucket])
  return right
}

/** Counted in the database, so over all replicas and restarts. */
export async function limitInDatabase(db: Queryable, bucket: Bucket, allowance: Allowance): Promise<void> {
  const reservation = await reserveSlot(db, bucket, allowance)
  if (reservation.slot === null)
    throw new ServiceError('rate_limited', { retryAfterSec: reservation.retryAfterSec })
}

/** The owner has proved himself by mail: every lock that others put on him is lifted. */
export async function clearLockouts(tx: Tx, accountId: AccountId, emailKey: string): Promise<void> {
  const devices = await findDeviceNames(tx, accountId)
  const ofDevices = devices.map((device) => toDeviceBucket(accountId, device))
  await deleteBuckets(tx, [emailBucket(emailKey), stepUpBucket(accountId), ...ofDevices])
}
