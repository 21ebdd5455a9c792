// Erases customId and data of payments that ended more than PAYMENT_DATA_RETENTION_DAYS ago. An erased order must not
// be charged again, so the payment first gets a keyed hash of its customId.
// The texts are erased once every running statement can see the hash.
import { eraseChargeTexts } from '../../backends/sandbox-store.ts'
import { eraseCallbackTexts, findQueuedOrders, lockQueuedOf } from '../../callbacks/erasure-store.ts'
import type { Tx } from '../../db/pool.ts'
import type { ProjectDeps } from '../../projects/deps.ts'
import type { ErasedOrders } from './erased-orders.ts'
import type { ErasablePayment, Progress } from './erasure-store.ts'
import * as store from './erasure-store.ts'

/** Batches are small, so that no lock is held for long. */
const BATCH = 500
/** Up to 10,000 payments are marked per run. Even a busy service gets fewer payments in a minute. */
const MARK_BATCHES_MAX = 20

type EraseDeps = Pick<ProjectDeps, 'db' | 'config'> & { erasedOrders: ErasedOrders }

export interface ErasedBatch {
  /** How many payments lost their texts. */
  count: number
  /** There may be more to erase, so the caller continues immediately. */
  hasMore: boolean
}

async function mark(deps: EraseDeps, tx: Tx, payments: readonly ErasablePayment[]): Promise<void> {
  const marks = payments.flatMap(({ id, projectId, customId }) => {
    const hash = deps.erasedOrders.toHash(projectId, customId)
    return hash ? [{ id, hash }] : []
  })
  if (marks.length > 0) await store.markWithHashes(tx, marks)
}

async function markNext(deps: EraseDeps, tx: Tx, markedTo: string, days: number): Promise<void> {
  let last = markedTo
  for (let batch = 0; batch < MARK_BATCHES_MAX; batch += 1) {
    const found = await store.listToMark(tx, last, days, BATCH)
    await mark(deps, tx, found)
    last = found.at(-1)?.id ?? last
    if (found.length < BATCH) break
  }
  if (last !== markedTo) await store.setMarked(tx, last)
}

/**
 * Returns how many payments were erased. Payments that cannot be erased yet are stored in `erasure_waiting` and checked
 * again later.
 */
async function eraseReady(
  deps: EraseDeps,
  tx: Tx,
  payments: readonly ErasablePayment[],
  days: number,
): Promise<number> {
  const found = payments.filter(({ hasTexts }) => hasTexts)
  // Payments are marked in the order of their ids. A payment without a hash was stored when later ids were already marked.
  // Either it was adopted (adopt-payments.ts), or the clock of the process that stored it was slow. It gets its hash now
  // and waits.
  await mark(
    deps,
    tx,
    found.filter(({ isMarked }) => !isMarked),
  )
  const ids = found.map(({ id }) => id)
  const ended = await store.lockEnded(tx, ids, days)
  const queued = await lockQueuedOf(tx, ids)
  // A queued callback of another attempt of the order still needs the customId.
  const isOrderQueued = await findQueuedOrders(tx, found)
  const isReady = ({ id, isMarked }: ErasablePayment, index: number) =>
    isMarked && ended.has(id) && !queued.has(id) && !isOrderQueued[index]
  const ready = found.filter(isReady).map(({ id }) => id)
  await eraseCallbackTexts(tx, ready)
  await store.erasePaymentTexts(tx, ready)
  await eraseChargeTexts(tx, ready)
  const erasedIds = new Set(ready)
  const finishedIds = payments
    .filter(({ id, hasTexts }) => erasedIds.has(id) || !hasTexts)
    .map(({ id }) => id)
  await store.setWaiting(tx, { waiting: ids.filter((id) => !erasedIds.has(id)), done: finishedIds })
  return ready.length
}

async function eraseMarked(
  deps: EraseDeps,
  tx: Tx,
  { erasedTo, markedTo }: Progress,
  days: number,
): Promise<number> {
  const found = await store.listMarked(tx, erasedTo, markedTo, BATCH)
  const count = await eraseReady(deps, tx, found, days)
  await store.setErased(tx, found.length < BATCH ? markedTo : found.at(-1)!.id)
  return count
}

async function eraseNext(deps: EraseDeps, tx: Tx, days: number): Promise<ErasedBatch> {
  const progress = await store.lockProgress(tx)
  if (!progress) return { count: 0, hasMore: false }
  const { markedTo, erasedTo, isMarkSettled } = progress
  const isBehind = erasedTo < markedTo
  if (isBehind && isMarkSettled) return { count: await eraseMarked(deps, tx, progress, days), hasMore: true }
  if (!isBehind) await markNext(deps, tx, markedTo, days)
  const waiting = await store.listWaiting(tx, BATCH)
  return { count: await eraseReady(deps, tx, waiting, days), hasMore: waiting.length === BATCH }
}

export async function eraseBatch(deps: EraseDeps): Promise<ErasedBatch> {
  const days = deps.config.paymentDataRetentionDays
  if (days === null || !(await deps.erasedOrders.begin())) return { count: 0, hasMore: false }
  return deps.db.transaction((tx) => eraseNext(deps, tx, days))
}

/** True: there may be more to erase, so the caller continues immediately. */
export async function eraseOnce(deps: EraseDeps): Promise<boolean> {
  return (await eraseBatch(deps)).hasMore
}
