import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  addCallbackProject,
  readCallbackRow,
  claimAll,
  recordInterruption,
  queueCallbacks,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { forgetHeld, recoverClaims } from './recover-store.ts'
import { startNewRound } from './resend-store.ts'
import { ATTEMPTS_MAX } from './retry.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps
const addMerchant = () => addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

test('an attempt that uses no step of the retry schedule, for example because it got a 409, does not count towards giving up', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 2)
  const [notReadyYet, other] = await claimAll(db)
  await changeCallbacks(
    db,
    'update callbacks set attempts = $1, not_ready = case when id = $2 then 1 else 0 end',
    [ATTEMPTS_MAX.live - 1, notReadyYet!.id],
  )
  await rows(db, 'update callback_lanes set exhausted_untold = 2, given_up = 3')
  for (const one of [notReadyYet!, other!])
    await recordInterruption(db, { ...one, attempt: ATTEMPTS_MAX.live })
  assert.equal((await readCallbackRow(db, notReadyYet!.id)).status, 'pending')
  assert.equal((await readCallbackRow(db, other!.id)).status, 'exhausted')
  assert.deepEqual(await rows(db, 'select exhausted_untold, given_up from callback_lanes'), [
    { exhausted_untold: 3, given_up: 4 },
  ])
})

test('an interrupted callback keeps its place in the queue', async () => {
  const merchant = await addMerchant()
  await queueCallbacks(db, merchant, 2)
  const listIds = async () =>
    (await rows<{ id: string }>(db, 'select id from callbacks order by next_at')).map(({ id }) => id)
  const ids = await listIds()
  for (const claimed of await claimAll(db)) if (claimed.id === ids[0]) await recordInterruption(db, claimed)
  assert.deepEqual(await listIds(), ids)
})

test('a delivered callback whose new round is interrupted stays delivered and does not count as given up', async () => {
  const merchant = await addMerchant()
  const ids = await queueCallbacks(db, merchant, 2)
  await changeCallbacks(db, `update callbacks set status = 'delivered', delivered_at = now(), attempts = 1`)
  for (const id of ids) await db.transaction((tx) => startNewRound(tx, merchant, id))
  const [first, last] = await claimAll(db)
  assert.deepEqual([first!.trigger, last!.trigger], ['manual', 'manual'])
  // If the callbacks had not been delivered before, the interruption would make the first one due again, and the last one
  // would be given up.
  await changeCallbacks(db, 'update callbacks set attempts = round_from + $1 where id = $2', [
    ATTEMPTS_MAX.live - 1,
    last!.id,
  ])
  await recordInterruption(db, first!)
  await recordInterruption(db, { ...last!, attempt: last!.attempt + ATTEMPTS_MAX.live - 1 })
  for (const { id } of [first!, last!]) {
    const { status, last_outcome: outcome } = await readCallbackRow(db, id)
    assert.deepEqual([status, outcome], ['delivered', 'interrupted'])
  }
  assert.deepEqual(await rows(db, 'select exhausted_untold, given_up from callback_lanes'), [
    { exhausted_untold: 0, given_up: 0 },
  ])
})

test('a callback that was claimed by a dead process is given up if its trigger is "test" or "exam", and is due again otherwise', async () => {
  const merchant = await addMerchant()
  const claim = `status = 'sending', attempts = 1, claim = gen_random_uuid(), lease_until = now() - interval '1 second'`
  const recovered: string[] = []
  for (const trigger of ['test', 'exam', 'auto'] as const) {
    const [id] = await queueCallbacks(db, merchant, 1, { mode: 'test', trigger })
    await changeCallbacks(db, `update callbacks set ${claim} where id = $1`, [id])
    recovered.push(id!)
  }
  const [alive] = await queueCallbacks(db, merchant, 1, { mode: 'test' })
  await changeCallbacks(
    db,
    `update callbacks set ${claim.replace('- interval', '+ interval')} where id = $1`,
    [alive],
  )
  assert.equal(await recoverClaims(db), 3)
  const statuses = await Promise.all(
    [...recovered, alive!].map(async (id) => (await readCallbackRow(db, id)).status),
  )
  assert.deepEqual(statuses, ['exhausted', 'exhausted', 'pending', 'sending'])
})

test('forgetHeld removes only the given entries, and only from the given lane', async () => {
  const [merchant, other] = [await addMerchant(), await addMerchant()]
  for (const id of [merchant, other])
    await rows(
      db,
      `insert into callback_lanes (project_id, mode, held) values ($1, 'live', '{a:0:auto:1,b:0:auto:1}')`,
      [id],
    )
  await forgetHeld(db, { projectId: merchant, mode: 'live' }, ['a:0:auto:1'])
  const heldOf = (id: string) => rows(db, 'select held from callback_lanes where project_id = $1', [id])
  assert.deepEqual(await heldOf(merchant), [{ held: ['b:0:auto:1'] }])
  assert.deepEqual(await heldOf(other), [{ held: ['a:0:auto:1', 'b:0:auto:1'] }])
})
