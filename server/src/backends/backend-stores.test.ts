import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { Reply } from '../../test/raw-server.ts'
import { isLocked } from '../../test/row-locks.ts'
import { freePort } from '../../test/service-process.ts'
import { openDb } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { findAccount, listUsedAccounts, recordUse, registerAccount } from './accounts-store.ts'
import { createDisputedRowsReader, DISPUTES_PER_PAGE } from './sandbox-disputes-store.ts'
import { listRefundRows, writeRefund } from './sandbox-refunds-store.ts'
import { deleteCharges, eraseChargeTexts, findEntry, writeOnce } from './sandbox-store.ts'
import { resolveStripeAccount } from './stripe-account.ts'
import {
  adoptRow,
  closeRow,
  findPaymentIdsOfSession,
  findRow,
  openRow,
  storeEndedSession,
  storeSessionId,
} from './stripe-store.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

const log = createLogger('error', { out: { write: () => undefined } })
const newCharge = () => ({ id: newUuidV7(systemClock), amount: 1500n, currency: 'EUR' })

test('if the session of a Stripe payment is stored, closing the payment stores no closing time', async () => {
  const charge = newCharge()
  await openRow(db, charge)
  assert.equal(await storeSessionId(db, charge.id, 'cs_1'), true)
  assert.equal(await storeSessionId(db, charge.id, 'cs_1'), true, 'the same session again')
  assert.equal(await storeSessionId(db, charge.id, 'cs_2'), false, 'another session')
  const row = await closeRow(db, charge.id)
  assert.deepEqual([row.session_id, row.closed_at, row.amount], ['cs_1', null, 1500n])
  assert.equal((await findRow(db, charge.id))?.closed_at, null)
  await storeEndedSession(db, charge.id, 'cs_3')
  assert.equal((await findRow(db, charge.id))?.session_id, 'cs_1')
  assert.deepEqual(await findPaymentIdsOfSession(db, 'cs_1'), [charge.id])
  assert.deepEqual(await findPaymentIdsOfSession(db, 'cs_3'), [])
})

test('a closed payment keeps its closing time, accepts no new session, and stores a session that has ended', async () => {
  const [charge, other] = [newCharge(), newCharge()]
  await openRow(db, charge)
  await openRow(db, other)
  const closed = await closeRow(db, charge.id)
  assert.notEqual(closed.closed_at, null)
  assert.deepEqual((await closeRow(db, charge.id)).closed_at, closed.closed_at)
  assert.equal(await storeSessionId(db, charge.id, 'cs_4'), false)
  assert.equal((await findRow(db, charge.id))?.session_id, null)
  await storeEndedSession(db, charge.id, 'cs_4')
  assert.equal((await findRow(db, charge.id))?.session_id, 'cs_4')
  const untouched = await findRow(db, other.id)
  assert.deepEqual([untouched?.session_id, untouched?.closed_at], [null, null])
})

test('adopting a session from Stripe’s list stores the session, unless another session of the payment is stored', async () => {
  const [lost, known] = [newCharge(), newCharge()]
  await openRow(db, known)
  await storeSessionId(db, known.id, 'cs_known')
  for (const charge of [lost, known]) await adoptRow(db, { ...charge, sessionId: `cs_${charge.id}` })
  const found = [await findRow(db, lost.id), await findRow(db, known.id)]
  assert.deepEqual(
    found.map((row) => row?.session_id),
    [`cs_${lost.id}`, 'cs_known'],
  )
})

test('the sandbox erases, lists and deletes only the requested payments, and refunds no more than was charged', async () => {
  const write = async (status: 'succeeded' | 'failed') => {
    const charge = newCharge()
    await writeOnce(db, { ...charge, status, failure_code: null, metadata: { pazar_data: 'Kafa' } })
    return charge.id
  }
  const refund = async (paymentId: string, amount: bigint, currency = 'EUR') => {
    const writtenRefund = await writeRefund(db, {
      ...{ id: newUuidV7(systemClock), paymentId, projectId: 'shop', amount, currency, chargeId: null },
      ...{ upstreamRef: null, isOwn: true, status: 'succeeded', returnsInMs: null },
    })
    return writtenRefund && [writtenRefund.status, writtenRefund.failure_code]
  }
  const [first, second, failed] = [await write('succeeded'), await write('succeeded'), await write('failed')]
  assert.deepEqual(await refund(first, 1000n), ['succeeded', null])
  assert.deepEqual(await refund(first, 501n), ['failed', 'amount_too_large'])
  assert.deepEqual(await refund(second, 100n, 'USD'), ['failed', 'amount_too_large'])
  assert.equal(await refund(failed, 100n), null)
  await refund(second, 1n)
  assert.deepEqual(
    [(await listRefundRows(db, first)).length, (await listRefundRows(db, second)).length],
    [2, 2],
  )
  await eraseChargeTexts(db, [first])
  const withTexts = await rows<{ id: string }>(
    db,
    'select id from sandbox_charges where metadata is not null',
  )
  assert.deepEqual(withTexts.map(({ id }) => id).toSorted(), [second, failed].toSorted())
  await deleteCharges(db, [first])
  assert.deepEqual([await findEntry(db, first), (await listRefundRows(db, first)).length], [null, 0])
  assert.deepEqual(
    [(await findEntry(db, second))?.status, (await listRefundRows(db, second)).length],
    ['succeeded', 2],
  )
})

test('a payment that is closed before its session is requested stays closed', async () => {
  const charge = newCharge()
  assert.equal((await closeRow(db, charge.id)).amount, null)
  const row = await openRow(db, charge)
  assert.notEqual(row.closed_at, null)
  assert.equal(row.amount, null)
})

test('the first account adopts the payments that were opened before accounts were stored; later accounts do not', async () => {
  assert.deepEqual(await registerAccount(db, 'http', 'https://one.example'), [null, 'https://one.example'])
  assert.deepEqual(await registerAccount(db, 'http', 'https://two.example'), ['https://two.example'])
  assert.deepEqual(await registerAccount(db, 'http', 'https://one.example'), [null, 'https://one.example'])
  assert.equal(await findAccount(db, 'http', 'https://two.example'), 'https://two.example')
  assert.equal(await findAccount(db, 'stripe', 'https://two.example'), null)
})

test('payments stored with the fingerprint of a Stripe key belong to the Stripe account once its id is known', async () => {
  assert.deepEqual(await registerAccount(db, 'stripe', 'key_1'), [null, 'key_1'])
  const storedNames = await registerAccount(db, 'stripe', 'acct_1 live', ['key_1'])
  assert.deepEqual(storedNames, [null, 'acct_1 live', 'key_1'])
  assert.deepEqual(await registerAccount(db, 'stripe', 'acct_2 live', ['key_2']), ['acct_2 live', 'key_2'])
  assert.equal(await findAccount(db, 'stripe', 'key_1'), 'acct_1 live')
  assert.equal(await findAccount(db, 'http', 'https://one.example'), 'https://one.example')
})

test('an account adopts only the payments of its own upstream', async () => {
  const insert = `insert into upstream_accounts (backend, stored_as, account) values ('stripe', 'older', '')`
  await rows(db, insert)
  await registerAccount(db, 'http', 'https://three.example')
  assert.equal(await findAccount(db, 'stripe', 'older'), '')
  await registerAccount(db, 'stripe', 'acct_3 live')
  assert.equal(await findAccount(db, 'stripe', 'older'), 'acct_3 live')
})

test('only accounts used within the given number of days are listed', async () => {
  const listUsed = async () => (await listUsedAccounts(db, 30)).map((one) => `${one.backend} ${one.account}`)
  assert.deepEqual(await listUsed(), [])
  await recordUse(db, 'http', 'https://two.example')
  await recordUse(db, 'stripe', 'acct_1 live')
  assert.deepEqual(await listUsed(), ['http https://two.example', 'stripe acct_1 live'])
  const age = `update upstream_accounts set last_used_at = now() - make_interval(days => $2::int) where backend = $1`
  await rows(db, age, ['http', 31])
  assert.deepEqual(await listUsed(), ['stripe acct_1 live'])
  await rows(db, age, ['http', 29])
  assert.ok((await listUsed()).includes('http https://two.example'))
})

const json = (status: string, value: unknown): Reply =>
  plainResponse(status, JSON.stringify(value), 'content-type: application/json')

const optionsOf = (port: number, account: string | null, secretKey = 'sk_test_1') => ({
  secretKey,
  livemode: false,
  apiBase: `http://127.0.0.1:${port}`,
  account,
})

test('the account of a Stripe key is named by the id that Stripe reports and the mode of the key', async (t) => {
  const { port, requests } = await startRawServer(t, json('200 OK', { object: 'account', id: 'acct_7' }))
  const found = await resolveStripeAccount(optionsOf(port, null), db, log)
  assert.equal(found.account, 'acct_7 test')
  assert.match(found.formerNames.join(), /^key_[0-9a-f]{24}$/)
  const live = await resolveStripeAccount({ ...optionsOf(port, 'acct_7'), livemode: true }, db, log)
  assert.equal(live.account, 'acct_7 live')
  await assert.rejects(resolveStripeAccount(optionsOf(port, 'acct_8'), db, log), StartError)

  await registerAccount(db, 'stripe', found.account, found.formerNames)
  const requestsBefore = requests.length
  assert.deepEqual(await resolveStripeAccount(optionsOf(port, null), db, log), {
    account: 'acct_7 test',
    formerNames: [],
  })
  assert.equal(requests.length, requestsBefore, 'a known key is not looked up again')
  await assert.rejects(resolveStripeAccount(optionsOf(port, 'acct_8'), db, log), StartError)
})

test('if Stripe does not respond, the configured account is used, or the key’s fingerprint if no account is configured', async () => {
  const port = await freePort()
  const configured = await resolveStripeAccount(optionsOf(port, 'acct_9', 'sk_test_2'), db, log)
  assert.equal(configured.account, 'acct_9 test')
  const unknown = await resolveStripeAccount(optionsOf(port, null, 'sk_test_2'), db, log)
  assert.deepEqual(unknown, { account: configured.formerNames[0], formerNames: [] })
  const ofOtherKey = await resolveStripeAccount(optionsOf(port, null, 'sk_test_3'), db, log)
  assert.notEqual(ofOtherKey.account, unknown.account)
})

test('disputes of the sandbox are listed once each, oldest first, over several pages', async () => {
  // The newest payments have the lowest ids, so the list must be ordered by time.
  await rows(
    db,
    `insert into sandbox_charges (id, amount, currency, status, created_at)
     select ('00000000-0000-7000-8000-' || lpad((1000 - n)::text, 12, '0'))::uuid, 4007, 'EUR', 'succeeded',
       timestamptz '2026-03-10T12:00:00.123456Z' + (n / 70) * interval '1 second'
     from generate_series(0, 249) as n`,
  )
  const read = createDisputedRowsReader({ amount: 4007n, afterSec: 5 })
  const since = new Date('2026-03-10T12:00:00Z')
  const found: string[] = []
  let page = await read(db, since, null)
  while (page.length > 0) {
    assert.ok(page.length <= DISPUTES_PER_PAGE)
    found.push(...page.map(({ id }) => id))
    page = await read(db, since, page.at(-1)!.cursor)
  }
  const order = 'select id from sandbox_charges where amount = 4007 order by created_at, id'
  assert.deepEqual(
    found,
    (await rows<{ id: string }>(db, order)).map(({ id }) => id),
  )
})

test('a refund at the sandbox locks its charge', async () => {
  const charge = newCharge()
  await writeOnce(db, { ...charge, status: 'succeeded', failure_code: null })
  await db.transaction(async (tx) => {
    const writtenRefund = await writeRefund(tx, {
      ...{ id: newUuidV7(systemClock), paymentId: charge.id, projectId: 'shop', amount: 1n, currency: 'EUR' },
      ...{ chargeId: null, upstreamRef: null, isOwn: true, status: 'succeeded', returnsInMs: null },
    })
    assert.equal(writtenRefund?.status, 'succeeded')
    const row = 'select from sandbox_charges where id = $1'
    assert.equal(await isLocked(database.url, row, [charge.id]), true)
  })
})
