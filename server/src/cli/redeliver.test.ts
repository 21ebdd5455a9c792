import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { readCallbackRow, queueCallbacks, untilAttempt } from '../../test/deliveries.ts'
import { deliverAll, startDeliveryOwner } from '../../test/delivery-owner.ts'
import { respondWith } from '../../test/merchant.ts'
import { newOrder } from '../../test/payments.ts'
import { startDeliveryWorker } from '../callbacks/worker-loop.ts'
import { writeClosed, writeOpen, readRestoreGate } from '../db/gate-store.ts'
import { toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { redeliver, findSkipReason } from './redeliver.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { merchant, service, owner, projectId } = await startDeliveryOwner()
const { deps } = service
const { db } = deps
const FROM = ['--from', '2020-01-01']
const OF_PROJECT = ['--project', projectId, ...FROM]

const run = async (...args: string[]) => toPrinted(await redeliver.run(deps, args)).text

async function pay(fields: Parameters<typeof newOrder>[1] = {}, paidProjectId = projectId): Promise<string> {
  const outcome = await confirmPayment(deps, newOrder(paidProjectId, fields))
  assert.ok(outcome.kind === 'payment')
  const sql = 'select id from callback_states where transaction_id = $1'
  return (await rows<{ id: string }>(db, sql, [outcome.payment.id]))[0]!.id
}

async function deliver(id: string, attempts: number): Promise<void> {
  const worker = startDeliveryWorker(deps)
  try {
    await untilAttempt(db, id, attempts)
  } finally {
    await worker.stop()
  }
}

const listAudit = async () =>
  rows<{ project_id: string; actor: string; changes: Record<string, unknown> }>(
    db,
    `select project_id, actor, changes from audit_events where action = 'callbacks_resent' order by id`,
  )
const isResent = async (id: string) => (await readCallbackRow(db, id)).trigger === 'manual'

test('a dry run only counts the callbacks; --send sends them and adds an entry to the history of the project', async () => {
  merchant.reply = respondWith(410)
  const [givenUp, inTestMode] = [await pay(), await pay({ mode: 'test' })]
  await deliverAll(deps)
  const waiting = await pay()
  const dryRunText = await run(...OF_PROJECT)
  assert.match(
    dryRunText,
    new RegExp(`${projectId} +2 +0 +0 +0\nDry run: nothing was sent\\. Add --send to send 2\\.`),
  )
  assert.equal(await isResent(givenUp), false)
  assert.deepEqual(await listAudit(), [])

  merchant.reply = respondWith(200)
  assert.match(
    await run(...OF_PROJECT, '--mode', 'live', '--by', 'ana', '--send'),
    /1 callback is queued; delivery processes send it\./,
  )
  assert.deepEqual(
    [await isResent(givenUp), await isResent(inTestMode), await isResent(waiting)],
    [true, false, false],
  )
  await deliver(givenUp, 2)
  assert.equal((await readCallbackRow(db, givenUp)).status, 'delivered')
  const [entry] = await listAudit()
  assert.deepEqual([entry!.project_id, entry!.actor], [projectId, 'operator'])
  const { count, mode, withDelivered, by } = entry!.changes
  assert.deepEqual(
    { count, mode, withDelivered, by },
    { count: 1, mode: 'live', withDelivered: false, by: 'ana' },
  )
  const history = (await owner.get(`/portal/api/projects/${projectId}/history`)).json<{
    items: { action: string }[]
  }>()
  assert.equal(history.items[0]?.action, 'callbacks_resent')
})

test('a callback that was given up is sent, and a callback that waits for its first attempt is not', async () => {
  const { id: other } = await owner.addProject({ apiUrl: merchant.url })
  const [givenUp, waiting] = [await pay({}, other), await pay({}, other)]
  await changeCallbacks(db, `update callbacks set status = 'exhausted' where id = $1`, [givenUp])
  assert.match(
    await run('--project', other, ...FROM, '--send'),
    /1 callback is queued; delivery processes send it\./,
  )
  assert.deepEqual([await isResent(givenUp), await isResent(waiting)], [true, false])
  await rows(db, 'delete from callbacks where project_id = $1', [other])
})

test('delivered callbacks are sent again only with --delivered, under the same id', async () => {
  const id = await pay()
  await deliverAll(deps)
  assert.equal(await run(...OF_PROJECT), 'No callback matches.')
  assert.match(
    await run(...OF_PROJECT, '--delivered', '--send'),
    /1 callback is queued; delivery processes send it\./,
  )
  await deliverAll(deps, 2)
  assert.deepEqual(
    merchant.received.map((request) => request.id),
    [id, id],
  )
})

test('superseded, erased and test callbacks are not sent, even with --delivered', async () => {
  // The sandbox declines this amount.
  await pay({ amount: 4000n, customId: 'paid-later' })
  await deliverAll(deps)
  const paid = await pay({ customId: 'paid-later' })
  const erased = await pay()
  await queueCallbacks(db, projectId, 1, { trigger: 'test' })
  await deliverAll(deps)
  await changeCallbacks(db, 'update callbacks set erased_at = now() where id = $1', [erased])
  const entriesBefore = (await listAudit()).length
  const sent = await run(...OF_PROJECT, '--delivered', '--send')
  assert.match(sent, new RegExp(`${projectId} +1 +1 +1 +0\n`))
  const entries = (await listAudit()).slice(entriesBefore)
  assert.deepEqual(
    entries.map(({ changes }) => changes['count']),
    [1],
  )
  assert.deepEqual(await rows(db, `select id from callback_states where trigger = 'manual'`), [{ id: paid }])
})

test('only callbacks created between --from and --to are sent, and all projects are chosen only with --all-projects', async () => {
  const { id: second } = await owner.addProject({ apiUrl: merchant.url })
  merchant.reply = respondWith(410)
  const [old, newer, ofSecond] = [await pay(), await pay(), await pay({}, second)]
  await deliverAll(deps)
  await changeCallbacks(db, `update callbacks set created_at = '2026-01-05T12:00:00Z' where id = $1`, [old])
  assert.match(
    await run('--project', projectId, '--from', '2026-01-05', '--to', '2026-01-06'),
    / +1 +0 +0 +0\n/,
  )
  assert.match(await run('--project', projectId, '--from', '2026-01-05T12:00:00.001Z'), / +1 +0 +0 +0\n/)
  assert.equal(
    await run('--project', projectId, '--from', '2026-01-05', '--to', '2026-01-05T12:00:00Z'),
    'No callback matches.',
  )
  assert.match(
    await run('--all-projects', ...FROM, '--send'),
    /3 callbacks are queued; delivery processes send them\./,
  )
  for (const id of [old, newer, ofSecond]) assert.equal(await isResent(id), true)
  const audited = (await listAudit()).slice(-2)
  assert.deepEqual(
    new Map(audited.map((one) => [one.project_id, one.changes['count']])),
    new Map([
      [projectId, 2],
      [second, 1],
    ]),
  )
})

test('an interrupted run has recorded how many callbacks it queued; a run that sends none records nothing', async () => {
  merchant.reply = respondWith(410)
  const { id: other } = await owner.addProject({ apiUrl: merchant.url })
  const ids = [await pay({}, other), await pay({}, other), await pay({}, other)]
  await deliverAll(deps)
  let transactions = 0
  const transaction: typeof db.transaction = (work) => {
    transactions += 1
    return transactions > 2 ? Promise.reject(new Error('interrupted')) : db.transaction(work)
  }
  const ofOther = ['--project', other, ...FROM, '--send']
  await assert.rejects(redeliver.run({ ...deps, db: { ...db, transaction } }, ofOther), /interrupted/)
  const countsOfOther = async () =>
    (await listAudit()).filter((one) => one.project_id === other).map(({ changes }) => changes['count'])
  assert.deepEqual(await Promise.all(ids.map(isResent)), [true, true, false])
  assert.deepEqual(await countsOfOther(), [2])
  await changeCallbacks(db, 'update callbacks set erased_at = now() where project_id = $1', [other])
  assert.match(await run(...ofOther), / +0 +0 +3 +0\n0 callbacks are queued/)
  assert.deepEqual(await countsOfOther(), [2])
})

test('if more callbacks match than --limit allows, nothing is sent or recorded', async () => {
  merchant.reply = respondWith(410)
  const ids = [await pay(), await pay(), await pay()]
  await deliverAll(deps)
  const entriesBefore = (await listAudit()).length
  await assert.rejects(run(...OF_PROJECT, '--limit', '2', '--send'), /More than 2 callbacks match/)
  for (const id of ids) assert.equal(await isResent(id), false)
  assert.equal((await listAudit()).length, entriesBefore)
  assert.match(await run(...OF_PROJECT, '--limit', '3'), /to send 3\./)
})

test('while callbacks are stopped after a restore, "redeliver" is refused, and the refusal names the command to run first', async () => {
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: 'x' })
  await assert.rejects(run(...OF_PROJECT, '--send'), /stopped after a restore\. First: .*reconcile --since/)
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
})

test('an unknown project and wrong arguments are refused', async () => {
  await assert.rejects(run('--project', 'nosuchproject', ...FROM), RefusedError)
  for (const args of [
    [],
    FROM,
    ['--project', projectId],
    [...OF_PROJECT, '--all-projects'],
    [...OF_PROJECT, 'more'],
    ['--project', projectId, '--from', 'monday'],
    ['--project', projectId, '--from', '2026-02-30'],
    ['--project', projectId, '--from', '2999-01-01'],
    [...OF_PROJECT, '--to', '2019-01-01'],
    [...OF_PROJECT, '--mode', 'all'],
    [...OF_PROJECT, '--limit', '0'],
    [...OF_PROJECT, '--limit', '50001'],
    [...OF_PROJECT, '--by', ''],
    [...OF_PROJECT, '--force'],
  ])
    await assert.rejects(run(...args), UsageError, args.join(' '))
})

test('a callback is left out if it is gone, erased, superseded, in flight or already delivered', () => {
  const facts = { superseded: false, withDelivered: false }
  const locked = { status: 'exhausted', mode: 'live', isErased: false } as const
  assert.equal(findSkipReason(locked, facts), null)
  assert.equal(findSkipReason(null, facts), 'gone')
  assert.equal(findSkipReason({ ...locked, isErased: true }, facts), 'erased')
  assert.equal(findSkipReason({ ...locked, status: 'cancelled' }, facts), 'superseded')
  assert.equal(findSkipReason(locked, { ...facts, superseded: true }), 'superseded')
  assert.equal(findSkipReason({ ...locked, status: 'sending' }, facts), 'in flight')
  assert.equal(findSkipReason({ ...locked, status: 'delivered' }, facts), 'delivered')
  assert.equal(findSkipReason({ ...locked, status: 'delivered' }, { ...facts, withDelivered: true }), null)
})
