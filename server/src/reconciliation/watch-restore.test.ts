// The restore gate stops payments when it closes. Its `since` is the time from which the upstream's ledger has to be read
// before the gate opens.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { ListingUpstream } from '../../test/listing-upstream.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { startPayments } from '../../test/payments.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { payFor } from '../../test/refunds.ts'
import { UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { createHttpBackend } from '../backends/http.ts'
import { readRestoreGate } from '../db/gate-store.ts'
import type { Statement } from '../db/pool.ts'
import { newUuidV7 } from '../lib/id.ts'
import { UncheckableError } from './read-lists.ts'
import { createRestoreWatch } from './watch-restore.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { live: sandbox } = deps.backends
const MINUTE_MS = 60_000
const SLACK_MS = 10 * MINUTE_MS

let upstream: ListingUpstream
let timeline: string
let nowMs: number
let comparisons: number

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents cascade')
  await rows(db, 'update installation set gate_closed_at = null, gate_reason = null, gate_since = null')
  await deps.restoreGate.refresh()
  deps.lastWrite.forget()
  upstream = createListingUpstream(deps)
  timeline = '00000001'
  nowMs = deps.clock.nowMs()
  comparisons = 0
})

function start(isOffered: () => Promise<boolean | null> = async () => true): () => Promise<void> {
  const lists = {
    ...upstream.backend.lists!,
    isOffered: () => {
      comparisons += 1
      return isOffered()
    },
  }
  const query = async <Row extends object>(statement: Statement, values?: readonly unknown[]) =>
    statement.name === 'gate.timeline'
      ? rows<Row>(db, 'select $1::text as timeline', [timeline])
      : db.query<Row>(statement, values)
  return createRestoreWatch({
    ...deps,
    db: { ...db, query },
    clock: { ...deps.clock, nowMs: () => nowMs },
    backends: { ...deps.backends, live: { ...upstream.backend, lists }, previous: [] },
  })
}

const pay = () => payFor({ ...deps, backends: { ...deps.backends, live: sandbox } }, projectId)

test('a process compares the database with the upstreams at its start and after a change of the timeline', async () => {
  await pay()
  const watch = start()
  await watch()
  await watch()
  assert.equal(comparisons, 1)
  timeline = '00000002'
  await watch()
  await watch()
  assert.deepEqual([comparisons, deps.restoreGate.isClosed()], [2, false])
})

test('a lost payment closes the gate with a `since` ten minutes before the last complete check', async () => {
  const { createdAt } = await pay()
  const watch = start()
  nowMs = createdAt.getTime() - 30 * MINUTE_MS
  await watch()
  upstream.payments.push(toListedPayment(deps, projectId))
  await watch()
  assert.equal(deps.restoreGate.isClosed(), false, 'nothing is compared while the timeline is the same')
  const completeMs = nowMs
  nowMs += 60 * MINUTE_MS
  timeline = '00000002'
  await watch()
  const { reason, since } = await readRestoreGate(db)
  assert.deepEqual([reason, since?.getTime()], ['upstream_ahead', completeMs - SLACK_MS])
})

test('a process notices at its start that the database was restored from a backup older than the first payment', async () => {
  upstream.payments.push(toListedPayment(deps, projectId))
  await start()()
  assert.equal((await readRestoreGate(db)).reason, 'upstream_ahead')
})

test('a failed comparison is repeated after half a minute, or immediately if the timeline changes', async () => {
  await pay()
  let isBroken = true
  const watch = start(async () => {
    if (isBroken) throw new Error('no response')
    return true
  })
  await assert.rejects(watch())
  nowMs += 29_000
  await watch()
  assert.equal(comparisons, 1)
  timeline = '00000002'
  await assert.rejects(watch())
  isBroken = false
  nowMs += 31_000
  await watch()
  await watch()
  assert.equal(comparisons, 3)
})

test('while a proxy responds to /info with 404, nothing counts as compared, and a lost payment is noticed later', async (t) => {
  await pay()
  upstream.payments.push(toListedPayment(deps, projectId))
  let reply = plainResponse('404 Not Found', 'default backend - 404')
  const { port } = await startRawServer(t, (socket, request) => reply(socket, request))
  const url = `http://127.0.0.1:${port}`
  const { lists } = createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: deps.clock })
  const watch = start(() => lists!.isOffered())
  await watch()
  reply = plainResponse('200 OK', '{"currency":"EUR","scale":2,"lists":true}')
  await watch()
  assert.deepEqual([comparisons, deps.restoreGate.isClosed()], [1, false])
  nowMs += MINUTE_MS / 2
  await watch()
  assert.deepEqual([comparisons, deps.restoreGate.isClosed()], [2, true])
})

test('an upstream whose /info declares no lists is not requested again', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK', '{"currency":"EUR","scale":2}'))
  const url = `http://127.0.0.1:${server.port}`
  const { lists } = createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: deps.clock })
  const watch = start(() => lists!.isOffered())
  await watch()
  nowMs += MINUTE_MS
  await watch()
  assert.deepEqual([comparisons, server.requests.length], [1, 1])
})

test('the gate closes if the last payment that this process stored is missing; while it is closed, the remembered payment is cleared', async () => {
  await pay()
  const watch = start()
  await watch()
  deps.lastWrite.remember(newUuidV7(deps.clock))
  nowMs += MINUTE_MS
  await watch()
  const { reason, since } = await readRestoreGate(db)
  assert.equal(reason, 'write_lost')
  assert.ok(since!.getTime() <= nowMs - SLACK_MS)
  deps.lastWrite.remember(newUuidV7(deps.clock))
  await watch()
  assert.equal(deps.lastWrite.find(), null)
})

test('if a payment is lost before any comparison has succeeded, the gate closes with the `since` of the first attempt', async () => {
  const { createdAt } = await pay()
  const watch = start(() => Promise.reject(new Error('no response')))
  await assert.rejects(watch())
  // Later payments do not change the `since`, because lost payments may be older.
  await pay()
  deps.lastWrite.remember(newUuidV7(deps.clock))
  await watch()
  const { reason, since } = await readRestoreGate(db)
  assert.deepEqual([reason, since?.getTime()], ['write_lost', createdAt.getTime() - SLACK_MS])
})

test('if the database has no payments, a list that does not end raises an incident, and is not read again', async () => {
  upstream.backend.lists!.payments = async () => ({ items: [], next: 'another' })
  const watch = start()
  await assert.rejects(watch(), UncheckableError)
  await pay()
  nowMs += 11 * MINUTE_MS
  await watch()
  assert.equal(comparisons, 1)
  assert.deepEqual(await rows(db, 'select kind from incidents'), [{ kind: 'restore_unchecked' }])
})

test('a list that does not end raises an incident, and is read again after ten minutes', async () => {
  const { createdAt } = await pay()
  let isEndless = true
  let page = 0
  upstream.backend.lists!.payments = async () => ({
    items: [],
    next: isEndless ? `page-${(page += 1)}` : null,
  })
  const watch = start()
  const listIncidents = () =>
    rows<{ subject: string; isOpen: boolean }>(
      db,
      `select subject, closed_at is null as "isOpen" from incidents where kind = 'restore_unchecked'`,
    )
  const subject = `http ${new Date(createdAt.getTime() - SLACK_MS).toISOString()}`
  await assert.rejects(watch(), UncheckableError)
  assert.deepEqual(await listIncidents(), [{ subject, isOpen: true }])
  await rows(db, 'update incidents set closed_at = now()')
  nowMs += 9 * MINUTE_MS
  await watch()
  assert.equal(comparisons, 1)
  nowMs += MINUTE_MS
  await assert.rejects(watch(), UncheckableError)
  assert.deepEqual(await listIncidents(), [{ subject, isOpen: false }])
  isEndless = false
  nowMs += 10 * MINUTE_MS
  await watch()
  await watch()
  assert.deepEqual([comparisons, deps.restoreGate.isClosed()], [3, false])
})
