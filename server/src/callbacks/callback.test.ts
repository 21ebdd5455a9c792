// Runs each statement that changes the state of a callback, once from each state. Each statement makes one of the MOVES,
// and may change the state only as this move allows.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { callbackStatus } from '@pazar/contract'
import type { CallbackStatus } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  readCallbackRow,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { giveUpWaiting } from '../deliveries/outage-mails-store.ts'
import { startNewRound } from './resend-store.ts'
import { isAllowed, mayStart, MOVES } from './callback.ts'
import type { MoveName } from './callback.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { replaceResult } from './outbox-store.ts'
import type { AttemptRecord } from './record-store.ts'
import { recordAttempts } from './record-store.ts'
import { interruptAttempts, recoverClaims } from './recover-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps
const projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')
const transactionId = randomUUID()

beforeEach(() => rows(db, 'truncate callbacks, callback_lanes cascade'))

const CLAIM = randomUUID()

function newOutgoing(id: string): OutgoingCallback {
  return {
    projectId,
    mode: 'live',
    id,
    event: 'payment.result',
    facts: {} as OutgoingCallback['facts'],
    trigger: 'auto',
    attempt: 1,
    nth: 1,
    withoutStep: 0,
    claim: null,
    isNew: false,
    url: null,
    host: 'shop.example.com',
    sealed: Buffer.alloc(0),
    secretVersion: 1,
    isProbe: false,
  }
}

async function insertIn(state: CallbackStatus): Promise<string> {
  const [id] = await queueCallbacks(db, projectId)
  await changeCallbacks(
    db,
    `update callbacks set status = $2, attempts = case $2 when 'pending' then 0 else 1 end, claim = $3,
       lease_until = case $2 when 'sending' then now() + interval '1 minute' end,
       delivered_at = case $2 when 'delivered' then now() end
     where id = $1`,
    [id, state, state === 'sending' ? CLAIM : null],
  )
  return id!
}

async function stateOf(id: string): Promise<CallbackStatus> {
  return (
    await rows<{ status: CallbackStatus }>(db, 'select status from callback_states where id = $1', [id])
  )[0]!.status
}

const record = (fields: Partial<AttemptRecord>) => async (id: string) => {
  const claim = (await readCallbackRow(db, id)).claim
  await recordAttempts(db, [toAttemptRecord({ ...newOutgoing(id), claim }, fields)])
}

/** `run` executes the statement. It moves a callback from the state `MOVES[move].from[0]` to the state `to`. */
const WRITERS: Readonly<
  Record<string, { move: MoveName; to: CallbackStatus; run: (id: string) => Promise<unknown> }>
> = {
  'recordAttempts (accepted)': { move: 'accept', to: 'delivered', run: record(ACCEPTED) },
  'recordAttempts (to be retried)': { move: 'record', to: 'pending', run: record({}) },
  'recordAttempts (given up)': {
    move: 'record',
    to: 'exhausted',
    run: record({ next: { status: 'exhausted' } }),
  },
  'recordAttempts (accepted after an interruption)': {
    move: 'accept',
    to: 'delivered',
    async run(id) {
      await changeCallbacks(db, 'update callbacks set attempts = 1, claim = null where id = $1', [id])
      await record(ACCEPTED)(id)
    },
  },
  interruptAttempts: {
    move: 'interrupt',
    to: 'pending',
    run: (id) =>
      interruptAttempts(
        db,
        { projectId, mode: 'live' },
        [0, 1].map((attempts) => `${id}:${attempts}:auto`),
      ),
  },
  recoverClaims: {
    move: 'recover',
    to: 'pending',
    async run() {
      await changeCallbacks(
        db,
        `update callbacks set lease_until = now() - interval '1 s' where status = 'sending'`,
      )
      await recoverClaims(db)
    },
  },
  giveUpWaiting: {
    move: 'giveUp',
    to: 'exhausted',
    async run() {
      await changeCallbacks(db, `update callbacks set created_at = now() - interval '5 days'`)
      await rows(
        db,
        `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, last_failure_at)
         values ($1, 'live', 20, now() - interval '5 days', now())
         on conflict (project_id, mode) do update set failures_in_row = 20, failing_since = excluded.failing_since,
           last_failure_at = now()`,
        [projectId],
      )
      await giveUpWaiting(db)
    },
  },
  replaceResult: {
    move: 'cancel',
    to: 'cancelled',
    async run(id) {
      await changeCallbacks(db, 'update callbacks set custom_id = $2 where id = $1', [id, 'order-7'])
      await changeCallbacks(db, `update callbacks set result = 'fail' where id = $1`, [id])
      await cancelByLaterResult(id)
    },
  },
  startNewRound: {
    move: 'resend',
    to: 'pending',
    run: (id) => db.transaction((tx) => startNewRound(tx, projectId, id)),
  },
}

async function cancelByLaterResult(id: string): Promise<void> {
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, failure_code, completed_at)
     values ($1, $2, 'live', gen_random_uuid(), 1500, 'EUR', 'failed', 'declined', now()) on conflict do nothing`,
    [transactionId, projectId],
  )
  await changeCallbacks(db, 'update callbacks set transaction_id = $2 where id = $1', [id, transactionId])
  await db.transaction((tx) =>
    replaceResult(tx, {
      id: `msg_${randomUUID().replaceAll('-', '')}`,
      checkoutId: null,
      facts: {
        status: 'success',
        projectId,
        transactionId,
        amount: '1500',
        currency: 'EUR',
        mode: 'live',
        createdAt: '2026-11-15T03:00:00.000Z',
      },
    }),
  )
}

for (const [name, { move, to, run }] of Object.entries(WRITERS)) {
  test(`${name} moves a callback only as "${move}" allows`, async () => {
    for (const from of callbackStatus.options) {
      await rows(db, 'truncate callbacks, callback_lanes cascade')
      const id = await insertIn(from)
      await run(id)
      const newState = await stateOf(id)
      assert.ok(isAllowed(move, from, newState), `${from} became ${newState}`)
      const { from: sources }: { from: readonly CallbackStatus[] } = MOVES[move]
      if (!sources.includes(from)) assert.equal(newState, from)
      if (from === sources[0]) assert.equal(newState, to)
    }
  })
}

test('every move is tested here, `sending` is the only state that no move enters, and `cancelled` is the only state that no move leaves', () => {
  const written = new Set(Object.values(WRITERS).map(({ move }) => move))
  assert.deepEqual(
    Object.keys(MOVES).filter((move) => !written.has(move as MoveName)),
    [],
  )
  const moves = Object.values(MOVES)
  const canBeLeft = (state: CallbackStatus) =>
    moves.some(
      ({ from, to }: { from: readonly CallbackStatus[]; to: readonly CallbackStatus[] }) =>
        from.includes(state) && to.some((target) => target !== state),
    )
  assert.deepEqual(
    callbackStatus.options.filter((state) => !canBeLeft(state)),
    ['cancelled'],
  )
  const entered = new Set<CallbackStatus>(moves.flatMap(({ to }) => [...to]))
  assert.deepEqual(
    callbackStatus.options.filter((state) => !entered.has(state)),
    // Test callbacks are inserted in this state.
    ['sending'],
  )
})

test('mayStart returns an SQL condition with the states from which a move may start', () => {
  assert.equal(mayStart('resend'), `status in ('pending', 'exhausted', 'delivered')`)
  assert.equal(mayStart('interrupt', 'c.status'), `c.status in ('pending')`)
})
