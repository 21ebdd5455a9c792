// With compact storage, a new callback is stored as if its first attempt had been accepted (new-callbacks-store.ts).
// Until the first attempt is recorded, readers see the callback as pending. Tests with a storage form in brackets at
// the end of their title run with and without compact storage.
// Why this is long: one scenario for each change of a callback's state.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  claimAll,
  listAttemptRows,
  queueCallbacks,
  readCallbackRow,
  recordInterruption,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { recordStatements } from '../../test/payments.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { findUnsound, listNewIds, setCompact, whileHeld } from '../../test/stored-forms.ts'
import { countPages } from '../../test/touched-pages.ts'
import { openDb } from '../db/pool.ts'
import { giveUpWaiting } from '../deliveries/outage-mails-store.ts'
import { countDueCallbacks } from './backlog-store.ts'
import { deleteCallbacksOf, deleteCallbacksOfProject, hasQueuedCallbacks } from './closing-store.ts'
import { findQueuedOrders, lockQueuedOf } from './erasure-store.ts'
import { storePending } from './new-callbacks-store.ts'
import { replaceResult } from './outbox-store.ts'
import type { AttemptRecord } from './record-store.ts'
import { recordAttempts } from './record-store.ts'
import { RECORD, RECORD_NEW } from './record-statements-store.ts'
import { lockCallback, startNewRound } from './resend-store.ts'
import { deleteOldAttempts, deleteOldTestCallbacks } from './retention-store.ts'

const { deps, db, projectId, otherId, add, newId, toSuccess, statusOf } = await startTwoProjects()

/** Whether the test deletes attempts, so that a delivered callback may have none. */
let deletesAttempts = false
beforeEach(async () => {
  deletesAttempts = false
  await setCompact(db, true)
})
test.afterEach(async () => {
  if (!deletesAttempts) assert.deepEqual(await findUnsound(db), [], 'the rows of all callbacks agree')
})

async function send() {
  const [id = ''] = await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  assert.equal(sent?.id, id)
  return { id, sent }
}

const record = (done: readonly AttemptRecord[]) => recordAttempts(db, done)
const listOutcomes = async (id: string) =>
  (await listAttemptRows(db, id)).map(({ attempt, outcome }) => [attempt, outcome])
const readState = async (id: string) => {
  const {
    status,
    attempts,
    last_outcome: lastOutcome,
    delivered_at: deliveredAt,
  } = await readCallbackRow(db, id)
  return [status, attempts, lastOutcome, deliveredAt !== null]
}

for (const isCompact of [true, false]) {
  const form = isCompact ? 'compact' : 'as earlier releases store it'
  const inForm = (name: string, run: () => Promise<void>): void => {
    test(`${name} (${form})`, async () => {
      await setCompact(db, isCompact)
      await run()
    })
  }

  inForm('a queued callback is pending without attempts, and due', async () => {
    const ids = await queueCallbacks(db, projectId, 3)
    assert.deepEqual((await listNewIds(db)).length, isCompact ? 3 : 0)
    for (const id of ids) assert.deepEqual(await readState(id), ['pending', 0, null, false])
    assert.equal((await countDueCallbacks(db)).count, 3)
    assert.equal(await hasQueuedCallbacks(db, [projectId]), true)
    assert.equal(await hasQueuedCallbacks(db, [otherId]), false)
    assert.deepEqual(
      (await claimAll(db)).map(({ id, attempt }) => [id, attempt]),
      ids.map((id) => [id, 1]),
      'oldest first',
    )
  })

  inForm('an accepted first attempt is recorded once, with its time of delivery', async () => {
    const { id, sent } = await send()
    const attempt = toAttemptRecord(sent, ACCEPTED)
    assert.deepEqual((await record([attempt])).recorded, [
      { projectId, mode: 'live', id, status: 'delivered' },
    ])
    assert.deepEqual((await record([attempt])).recorded, [])
    assert.deepEqual(await readState(id), ['delivered', 1, 'delivered', true])
    assert.deepEqual(await listOutcomes(id), [[1, 'delivered']])
    assert.deepEqual(await listNewIds(db), [])
    assert.equal((await countDueCallbacks(db)).count, 0)
  })

  inForm(
    'a failed first attempt leaves the callback pending, and the second attempt can be accepted',
    async () => {
      const { id, sent } = await send()
      const next = { status: 'pending', delaySec: 0, usesNoStep: false } as const
      await record([toAttemptRecord(sent, { next })])
      assert.deepEqual(await readState(id), ['pending', 1, 'http_error', false])
      await rows(db, `update callback_lanes set sending = '{}', held = '{}'`)
      const [again] = await claimAll(db)
      assert.equal(again?.attempt, 2)
      await record([toAttemptRecord(again, ACCEPTED)])
      assert.deepEqual(await readState(id), ['delivered', 2, 'delivered', true])
      assert.deepEqual(await listOutcomes(id), [
        [1, 'http_error'],
        [2, 'delivered'],
      ])
    },
  )

  inForm('a callback that is refused for good is given up after its first attempt', async () => {
    const { id, sent } = await send()
    const { tallies } = await record([toAttemptRecord(sent, { next: { status: 'exhausted' } })])
    assert.equal(tallies[0]?.exhausted, 1)
    assert.deepEqual(await readState(id), ['exhausted', 1, 'http_error', false])
  })

  inForm(
    'a first attempt of a killed process is logged as interrupted, and its late acceptance still counts',
    async () => {
      const { id, sent } = await send()
      await recordInterruption(db, sent)
      await recordInterruption(db, sent)
      assert.deepEqual(await readState(id), ['pending', 1, 'interrupted', false])
      const [recorded] = (await record([toAttemptRecord(sent, ACCEPTED)])).recorded
      assert.equal(recorded?.status, 'delivered')
      assert.deepEqual(await readState(id), ['delivered', 1, 'delivered', true])
      assert.deepEqual(await listOutcomes(id), [[1, 'delivered']])
    },
  )

  inForm(
    'a resend before the first attempt starts a new round of attempts, and a resend of a delivered callback keeps its time of delivery',
    async () => {
      const [id = ''] = await queueCallbacks(db, projectId)
      const resend = () =>
        db.transaction(async (tx) => {
          const locked = await lockCallback(tx, projectId, id)
          await startNewRound(tx, projectId, id)
          return locked?.status
        })
      assert.equal(await resend(), 'pending')
      assert.deepEqual(await readState(id), ['pending', 0, null, false])
      const [sent] = await claimAll(db)
      assert.deepEqual([sent?.trigger, sent?.attempt], ['manual', 1])
      await record([toAttemptRecord(sent!, ACCEPTED)])
      const { id: other, sent: first } = await send()
      await record([toAttemptRecord(first, ACCEPTED)])
      const { delivered_at: deliveredAt } = await readCallbackRow(db, other)
      await db.transaction(async (tx) => {
        assert.equal((await lockCallback(tx, projectId, other))?.status, 'delivered')
        await startNewRound(tx, projectId, other)
      })
      await rows(db, `update callback_lanes set sending = '{}', held = '{}'`)
      const [second] = await claimAll(db)
      assert.deepEqual([second?.id, second?.attempt], [other, 2])
      await record([toAttemptRecord(second!)])
      assert.deepEqual(await readState(other), ['delivered', 2, 'http_error', true])
      assert.deepEqual((await readCallbackRow(db, other)).delivered_at, deliveredAt)
    },
  )

  inForm(
    'a first attempt in flight during a resend is recorded, and its failure leaves the callback pending',
    async () => {
      for (const [outcome, expected] of [
        [ACCEPTED, ['delivered', 1, 'delivered', true]],
        [{}, ['pending', 1, 'http_error', false]],
      ] as const) {
        await rows(db, 'truncate callbacks, callback_lanes cascade')
        const { id, sent } = await send()
        await db.transaction(async (tx) => {
          await lockCallback(tx, projectId, id)
          await startNewRound(tx, projectId, id)
        })
        assert.equal((await record([toAttemptRecord(sent, outcome)])).recorded.length, 1)
        assert.deepEqual(await readState(id), expected)
      }
    },
  )

  inForm('a success cancels a "fail" callback only while the callback waits or is in flight', async () => {
    const waiting = await add({ customId: 'order-1', isNew: isCompact })
    const delivered = await add({ customId: 'order-1', isNew: isCompact })
    const [sent] = (await claimAll(db)).filter(({ id }) => id === delivered.id)
    await record([toAttemptRecord(sent!, ACCEPTED)])
    const inFlight = await add({ customId: 'order-1', isNew: isCompact })
    const [flying] = (await claimAll(db)).filter(({ id }) => id === inFlight.id)
    const paid = await add({ status: 'exhausted' })
    const facts = toSuccess(paid.payment, 'order-1')
    await db.transaction((tx) => replaceResult(tx, { id: newId(), checkoutId: null, facts }))
    assert.deepEqual(
      [await statusOf(waiting.id), await statusOf(delivered.id), await statusOf(inFlight.id)],
      ['cancelled', 'delivered', 'cancelled'],
    )
    await record([toAttemptRecord(flying!, ACCEPTED)])
    assert.deepEqual(await readState(inFlight.id), ['cancelled', 1, 'delivered', false])
    assert.deepEqual(await listOutcomes(inFlight.id), [[1, 'delivered']])
    const [success, ...more] = (await claimAll(db)).map(
      ({ facts: sentFacts }) => 'status' in sentFacts && sentFacts.status,
    )
    assert.deepEqual([success, more], ['success', []])
  })

  inForm(
    'a callback that waited for days without any attempt is given up if its merchant is down',
    async () => {
      const [old = '', young = ''] = await queueCallbacks(db, projectId, 2)
      for (const table of ['callbacks', 'new_callbacks'])
        await db.query(
          {
            name: `test.age.${table}`,
            text: `update ${table} set created_at = now() - interval '5 days' where id = $1`,
          },
          [old],
        )
      const down = `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, last_failure_at)
      values ($1, 'live', 20, now() - interval '5 days', now())`
      assert.equal(await giveUpWaiting(db), 0, 'the lane is not failing')
      await rows(db, down, [projectId])
      assert.equal(await giveUpWaiting(db), 1)
      assert.deepEqual([await statusOf(old), await statusOf(young)], ['exhausted', 'pending'])
    },
  )

  inForm('an erasure waits for a callback that is still to be delivered', async () => {
    const { id, payment } = await add({ customId: 'order-1', isNew: isCompact })
    const order = { projectId, mode: 'live', customId: 'order-1' }
    assert.deepEqual(
      await db.transaction((tx) => findQueuedOrders(tx, [order, { ...order, customId: 'order-2' }])),
      [true, false],
    )
    assert.deepEqual(await db.transaction((tx) => lockQueuedOf(tx, [payment])), new Set([payment]))
    const [sent] = await claimAll(db)
    await record([toAttemptRecord(sent!, ACCEPTED)])
    assert.equal(await statusOf(id), 'delivered')
    assert.deepEqual(await db.transaction((tx) => lockQueuedOf(tx, [payment])), new Set())
    assert.deepEqual(await db.transaction((tx) => findQueuedOrders(tx, [order])), [false])
  })

  inForm('deleted callbacks leave no row in new_callbacks', async () => {
    const { payment } = await add({ isNew: isCompact })
    await queueCallbacks(db, projectId, 3)
    await db.transaction((tx) => deleteCallbacksOf(tx, [payment]))
    assert.equal((await listNewIds(db)).length, isCompact ? 3 : 0)
    await queueCallbacks(db, otherId)
    await db.transaction((tx) => deleteCallbacksOfProject(tx, projectId, 100))
    assert.equal((await listNewIds(db)).length, isCompact ? 1 : 0)
    await rows(db, 'delete from callbacks')
    assert.deepEqual(await listNewIds(db), [])
  })

  inForm(
    'retention deletes no waiting callback, and keeps a callback’s time of delivery when it deletes the attempt',
    async () => {
      deletesAttempts = true
      const { id, sent } = await send()
      await record([toAttemptRecord(sent, ACCEPTED)])
      await rows(db, `update callback_attempts set started_at = now() - interval '40 days'`)
      const { delivered_at: before } = await readCallbackRow(db, id)
      const [waiting = ''] = await queueCallbacks(db, projectId)
      for (const table of ['callbacks', 'new_callbacks'])
        await db.query(
          {
            name: `test.age.${table}`,
            text: `update ${table} set created_at = now() - interval '5 days' where id = $1`,
          },
          [waiting],
        )
      assert.equal(await deleteOldAttempts(db, 30), 1)
      assert.deepEqual((await readCallbackRow(db, id)).delivered_at, before)
      assert.equal(await deleteOldTestCallbacks(db, 1), 0)
      assert.equal(await statusOf(waiting), 'pending')
    },
  )
}

test('a batch of accepted first attempts takes one statement, other attempts take a second, and late deliveries a third', async () => {
  await queueCallbacks(db, projectId, 6)
  const [first, second, third, fourth, fifth, sixth] = await claimAll(db)
  const watched = recordStatements(deps)
  const recordWatched = async (done: readonly AttemptRecord[]) => {
    watched.statements.length = 0
    const batch = await recordAttempts(watched.deps.db, done)
    return { ...batch, statements: [...watched.statements] }
  }
  assert.deepEqual(
    (await recordWatched([first!, second!].map((one) => toAttemptRecord(one, ACCEPTED)))).statements,
    ['callbacks.record_new'],
  )
  const { recorded, tallies, statements } = await recordWatched([
    toAttemptRecord(third!),
    toAttemptRecord(fourth!, ACCEPTED),
    toAttemptRecord(fifth!),
  ])
  assert.deepEqual(statements, ['callbacks.record_new', 'callbacks.record'])
  assert.deepEqual(
    recorded.map(({ id }) => id),
    [third!.id, fourth!.id, fifth!.id],
  )
  // The success ends the series of failures, so only the failure after the success counts.
  assert.deepEqual(
    tallies.map(({ good, bad, failures }) => ({ good, bad, failures })),
    [{ good: 1, bad: 2, failures: 1 }],
  )
  await recordInterruption(db, sixth!)
  assert.deepEqual((await recordWatched([toAttemptRecord(sixth!, ACCEPTED)])).statements, [
    'callbacks.record_new',
    'callbacks.record',
    'callbacks.record_late',
  ])
})

test('an attempt is recorded even if its `isNew` does not match how the callback is stored', async () => {
  await queueCallbacks(db, projectId, 4)
  const sent = await claimAll(db)
  await storePending(db, projectId, [sent[0]!.id, sent[1]!.id])
  const { recorded } = await record([
    toAttemptRecord(sent[0]!, ACCEPTED),
    toAttemptRecord(sent[1]!),
    toAttemptRecord({ ...sent[2]!, isNew: false }, ACCEPTED),
    toAttemptRecord({ ...sent[3]!, isNew: false }),
  ])
  assert.deepEqual(
    recorded.map(({ status }) => status),
    ['delivered', 'pending', 'delivered', 'pending'],
  )
  assert.deepEqual(await listNewIds(db), [])
  assert.deepEqual(await readState(sent[2]!.id), ['delivered', 1, 'delivered', true])
})

for (const [what, outcome] of [
  ['was accepted', ACCEPTED],
  ['failed', {}],
] as const) {
  test(`a first attempt that ${what} is recorded, although another transaction stores the callback as pending at that moment`, async () => {
    const { id, sent } = await send()
    const { recorded } = await whileHeld(
      db,
      (tx) => storePending(tx, projectId, [id]),
      () => record([toAttemptRecord(sent, outcome)]),
    )
    assert.equal(recorded.length, 1)
    assert.equal((await listAttemptRows(db, id)).length, 1)
    assert.equal((await readCallbackRow(db, id)).attempts, 1)
  })

  test(`a first attempt that ${what} is recorded, although a person resends the callback at that moment`, async () => {
    const { id, sent } = await send()
    const { recorded } = await whileHeld(
      db,
      async (tx) => {
        await lockCallback(tx, projectId, id)
        await startNewRound(tx, projectId, id)
      },
      () => record([toAttemptRecord(sent, outcome)]),
    )
    assert.equal(recorded.length, 1)
    assert.deepEqual(await listOutcomes(id), [[1, outcome === ACCEPTED ? 'delivered' : 'http_error']])
  })

  test(`if the first attempt of a "fail" callback ${what} just before a success, the success ${outcome === ACCEPTED ? 'does not cancel' : 'cancels'} the callback`, async () => {
    const { id } = await add({ customId: 'order-1', isNew: true })
    const [sent] = await claimAll(db)
    const paid = await add({ status: 'exhausted' })
    const facts = toSuccess(paid.payment, 'order-1')
    await whileHeld(
      db,
      (tx) => recordAttempts(tx, [toAttemptRecord(sent!, outcome)]),
      () => db.transaction((tx) => replaceResult(tx, { id: newId(), checkoutId: null, facts })),
    )
    assert.equal(await statusOf(id), outcome === ACCEPTED ? 'delivered' : 'cancelled')
    assert.equal((await listAttemptRows(db, id)).length, 1)
  })

  test(`when a success cancels a "fail" callback, a first attempt that ${what} at that moment is still recorded`, async () => {
    const { id } = await add({ customId: 'order-1', isNew: true })
    const [sent] = await claimAll(db)
    const paid = await add({ status: 'exhausted' })
    const facts = toSuccess(paid.payment, 'order-1')
    const { recorded } = await whileHeld(
      db,
      (tx) => replaceResult(tx, { id: newId(), checkoutId: null, facts }),
      () => record([toAttemptRecord(sent!, outcome)]),
    )
    assert.deepEqual(
      recorded.map(({ status }) => status),
      ['cancelled'],
    )
    assert.equal((await listAttemptRows(db, id)).length, 1)
  })
}

test('a resend at the moment of the delivery sees the callback as delivered', async () => {
  const { id, sent } = await send()
  const locked = await whileHeld(
    db,
    (tx) => recordAttempts(tx, [toAttemptRecord(sent, ACCEPTED)]),
    () => db.transaction((tx) => lockCallback(tx, projectId, id)),
  )
  assert.equal(locked?.status, 'delivered')
})

test('a first attempt that is recorded as delivered just before it would be recorded as interrupted stays delivered', async () => {
  const { id, sent } = await send()
  await whileHeld(
    db,
    (tx) => recordAttempts(tx, [toAttemptRecord(sent, ACCEPTED)]),
    () => recordInterruption(db, sent),
  )
  assert.deepEqual(await listOutcomes(id), [[1, 'delivered']])
  assert.deepEqual(await readState(id), ['delivered', 1, 'delivered', true])
})

test('rows of new_callbacks are found by key and deleted by ctid, even if the plan was made while the table was empty', async () => {
  const lists = (n: number) => Array.from({ length: n }, () => '{}')
  for (const [{ text }, values] of [
    [RECORD_NEW, lists(12)],
    [RECORD, lists(18)],
  ] as const) {
    const plan = await rows<{ 'QUERY PLAN': string }>(db, `explain (costs off) ${text}`, values)
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(lines, /Tid Scan on new_callbacks/, lines)
    assert.match(
      lines,
      /new_callbacks_pkey on new_callbacks n\S*\n\s+Index Cond: \(\(project_id = .* AND \(id = /,
      lines,
    )
    assert.doesNotMatch(lines, /new_callbacks_due|Seq Scan on new_callbacks/, lines)
  }
})

test('deleting callbacks searches new_callbacks by key, even if the plan was made while the table was empty', async (t) => {
  // One connection, because the plan of the trigger is cached per connection.
  const single = openDb(deps.config.databaseUrl!, { poolMax: 1, onError: () => undefined })
  t.after(() => single.close())
  const deleteSome = (of: string) =>
    rows(
      single,
      `delete from callbacks where ctid = any (array(select ctid from callbacks where project_id = $1 limit 20))`,
      [of],
    )
  const countRead = async () => {
    const [read] = await rows<{ n: number }>(
      single,
      `select idx_tup_fetch::int as n from pg_stat_user_tables, pg_stat_force_next_flush() where relname = 'new_callbacks'`,
    )
    return read!.n
  }
  await setCompact(db, false)
  await queueCallbacks(db, otherId)
  await rows(db, 'vacuum full analyze new_callbacks')
  await deleteSome(otherId)
  await setCompact(db, true)
  await queueCallbacks(db, projectId, 300)
  await countRead()
  const before = await countRead()
  await deleteSome(projectId)
  await countRead()
  assert.equal((await countRead()) - before, 20)
})

test('an erasure reads the callbacks of an order once, however many of its payments are in the list', async () => {
  await queueCallbacks(db, projectId, 200, { customId: 'order-1' })
  await record((await claimAll(db)).map((one) => toAttemptRecord(one, ACCEPTED)))
  const countFor = (times: number) =>
    countPages(deps.config.databaseUrl!, db, (queryable) =>
      findQueuedOrders(
        { ...queryable, inTransaction: true },
        Array.from({ length: times }, () => ({ projectId, mode: 'live', customId: 'order-1' })),
      ),
    )
  const [once, often] = [await countFor(1), await countFor(50)]
  assert.ok(often < 2 * once, `${once} and ${often} pages`)
})

test('the callbacks of a lane are sent oldest first and within its slots, even if some are stored in the compact form and others are not', async () => {
  const ids: string[] = []
  for (const isCompact of [true, false, true, false]) {
    await setCompact(db, isCompact)
    ids.push(...(await queueCallbacks(db, projectId)))
  }
  assert.deepEqual(
    (await claimAll(db, 3)).map(({ id }) => id),
    ids.slice(0, 3),
  )
})

test('a process takes lanes that have only new callbacks, in both modes and of all projects', async () => {
  for (const id of [projectId, otherId])
    for (const mode of ['live', 'test'] as const) await queueCallbacks(db, id, 2, { mode })
  const sent = await claimAll(db, 1)
  assert.deepEqual(
    new Set(sent.map((one) => `${one.projectId} ${one.mode}`)),
    new Set([projectId, otherId].flatMap((id) => [`${id} live`, `${id} test`])),
  )
})
