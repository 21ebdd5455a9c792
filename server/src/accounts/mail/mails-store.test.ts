// Tests the queue of mails: which mail is claimed next, and what stays in its row afterwards.
// Why this is long: all tests share one queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import type { Tx } from '../../db/pool.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { SEND_WITHIN_MS } from './mail-transport.ts'
import { RECORD_WITHIN_MS } from './mail-worker.ts'
import {
  claimMail,
  insertMailWithoutAccount,
  LEASE_SEC,
  listSealedMails,
  queueRestoreMails,
  recordFailure,
  recordSent,
} from './mails-store.ts'
import {
  MAILED_INCIDENTS_MAX,
  queueClosingMail,
  queueDeliveryMail,
  queueIncidentMail,
  queueInvitationMail,
  queueReceiptMail,
  queueTransferMail,
} from './queue-mail.ts'

const { app, deps } = await startTestService()
const { db } = deps
const CLOSED = { id: '', email: 'otisla@example.com', locale: 'cnr', timeZone: 'Asia/Tokyo' } as const

const deleteMails = () => rows(db, 'delete from mails')
const readMails = () =>
  rows<{ to_address: string; last_error: string | null; over: boolean; locale: string; facts: object }>(
    db,
    `select to_address, last_error, sent_at is not null or gave_up_at is not null as over, locale, facts from mails`,
  )

async function claimOne() {
  await rows(db, 'update mails set next_at = now(), lease_until = null')
  const claimed = await claimMail(db)
  assert.ok(claimed)
  return claimed
}

test('the lease of a mail is longer than the time limits of sending and recording the mail together', () => {
  assert.ok(SEND_WITHIN_MS + RECORD_WITHIN_MS < LEASE_SEC * 1000)
})

test('the mail that has been due the longest is claimed first, and no mail is claimed before its time', async () => {
  const owners = [await signUp(app), await signUp(app), await signUp(app)]
  const setDue = `update mails set next_at = now() + $2::interval where to_address = $1`
  for (const [n, wait] of ['-1 second', '-1 minute', '1 minute'].entries())
    await rows(db, setDue, [owners[n]!.email, wait])
  const claimed = [await claimMail(db), await claimMail(db), await claimMail(db)]
  assert.deepEqual(
    claimed.map((mail) => mail?.to ?? null),
    [owners[1]!.email, owners[0]!.email, null],
  )
  const leases = `select extract(epoch from lease_until - now())::integer as sec from mails where attempts = 1`
  assert.deepEqual(await rows(db, leases), [{ sec: LEASE_SEC }, { sec: LEASE_SEC }])
})

test('the mail of a sign-up keeps its address after it is sent, but not the error of a failed attempt', async () => {
  await deleteMails()
  const owner = await signUp(app)
  await recordFailure(db, await claimOne(), { error: 'ESOCKET', retryInSec: 30 })
  assert.deepEqual((await readMails())[0]?.last_error, 'ESOCKET')
  await recordSent(db, await claimOne())
  const [mail] = await readMails()
  assert.deepEqual([mail?.to_address, mail?.last_error, mail?.over], [owner.email, null, true])
})

test('the address of a closed account is stored only until the mail about the closing is sent or given up', async () => {
  await deleteMails()
  await db.transaction((tx) => queueClosingMail(deps, tx, CLOSED))
  const [queued] = await readMails()
  assert.deepEqual([queued?.to_address, queued?.locale], [CLOSED.email, 'cnr'])
  assert.deepEqual(Object.keys(queued!.facts).toSorted(), ['at', 'timeZone'])
  await recordFailure(db, await claimOne(), { error: 'EENVELOPE 550', retryInSec: 30 })
  const [waiting] = await readMails()
  assert.deepEqual(
    [waiting?.to_address, waiting?.last_error, waiting?.over],
    [CLOSED.email, 'EENVELOPE 550', false],
  )
  await recordFailure(db, await claimOne(), { error: 'EENVELOPE 550', retryInSec: null })
  const [givenUp] = await readMails()
  assert.deepEqual([givenUp?.to_address, givenUp?.last_error, givenUp?.over], ['', null, true])

  await deleteMails()
  await db.transaction((tx) => queueClosingMail(deps, tx, CLOSED))
  await recordSent(db, await claimOne())
  const [sent] = await readMails()
  assert.deepEqual([sent?.to_address, sent?.over], ['', true])
})

const PAYER = { to: 'kupac@example.com', locale: 'cnr' } as const
const TRANSFER = {
  stage: 'offered',
  reader: 'receiver',
  project: 'A',
  projectId: 'ab',
  from: 'a@example.com',
  to: CLOSED.email,
  dueAt: null,
  client: null,
} as const

/** What the row of a mail keeps after the mail is sent or given up: `to` is the address, `facts` says if facts remain. */
const REMAINING: Record<
  string,
  { queue: (tx: Tx, accountId: string) => Promise<void>; to: string; facts: boolean }
> = {
  'an invitation': {
    queue: (tx) =>
      queueInvitationMail(deps, tx, {
        ...PAYER,
        token: 't',
        project: 'A',
        by: 'a@example.com',
        role: 'support',
      }),
    to: '',
    facts: true,
  },
  'a receipt': {
    queue: (tx) =>
      queueReceiptMail(deps, tx, {
        ...PAYER,
        at: '2026-11-16T03:00:00.000Z',
        timeZone: 'UTC',
        merchant: 'A',
        amount: '1500',
        currency: 'EUR',
        scale: 2,
        ...{ description: 'Knjiga', order: 'order-1', reference: 'r', moneyBack: null },
        ...{ supportEmail: 'info@example.me', website: null },
      }),
    to: '',
    facts: false,
  },
  'a dispute with its order': {
    queue: (tx) =>
      insertMailWithoutAccount(tx, {
        id: newUuidV7(deps.clock),
        kind: 'dispute_opened',
        to: CLOSED.email,
        locale: 'cnr',
        facts: { order: 'order-1' },
      }),
    to: CLOSED.email,
    facts: false,
  },
  'a transfer to an address without an account': {
    queue: (tx) => queueTransferMail(deps, tx, { ...CLOSED, id: null }, TRANSFER),
    to: '',
    facts: true,
  },
  'a transfer to an account': {
    queue: (tx, id) => queueTransferMail(deps, tx, { ...CLOSED, id }, TRANSFER),
    to: CLOSED.email,
    facts: true,
  },
}

test('a mail that was sent or given up has no token, and keeps its address and facts only as listed in REMAINING', async () => {
  const owner = await signUp(app)
  const [account] = await rows<{ id: string }>(db, 'select id from accounts where email = $1', [owner.email])
  const read = async () => {
    const [mail] = await readMails()
    const [token] = await rows(db, 'select from mails where sealed_token is not null')
    const { to_address: to, last_error: error } = mail!
    return { to, facts: Object.keys(mail!.facts).length > 0, error, hasToken: token !== undefined }
  }
  for (const [caseName, { queue, to, facts }] of Object.entries(REMAINING)) {
    for (const end of ['sent', 'given up'] as const) {
      await deleteMails()
      await db.transaction((tx) => queue(tx, account!.id))
      await recordFailure(db, await claimOne(), { error: 'EENVELOPE 550', retryInSec: 30 })
      const waiting = await read()
      assert.notEqual(waiting.to, '', caseName)
      assert.deepEqual([waiting.facts, waiting.error], [true, 'EENVELOPE 550'], caseName)
      if (end === 'sent') await recordSent(db, await claimOne())
      else await recordFailure(db, await claimOne(), { error: 'EENVELOPE 550', retryInSec: null })
      const error = end === 'given up' && to !== '' ? 'EENVELOPE 550' : null
      assert.deepEqual(await read(), { to, facts, error, hasToken: false }, `${caseName}, ${end}`)
      const [stored] = await readMails()
      assert.ok(!JSON.stringify(stored!.facts).includes(CLOSED.email), `${caseName}, ${end}`)
    }
  }
  await deleteMails()
})

test('while a mail is being sealed with a new key, the worker claims the next mail', async () => {
  await deleteMails()
  const owners = [await signUp(app), await signUp(app)]
  await db.transaction(async (tx) => {
    const [first] = await listSealedMails(tx, null, 1)
    const locked = db.query(
      { name: 'test.hold', text: 'select from mails where id = $1 for update nowait' },
      [first!.id],
    )
    await assert.rejects(locked, ServiceError)
    const claimed = await claimMail(db)
    assert.ok(claimed && claimed.id !== first!.id && owners.some(({ email }) => email === claimed.to))
    const remaining = await listSealedMails(tx, first!.id, 10)
    assert.deepEqual(
      remaining.map(({ id }) => id),
      [claimed.id],
    )
  })
})

test('after a restore, each open account with a confirmed address gets a mail', async () => {
  const people = [await signUp(app), await signUp(app), await signUp(app)]
  const set = (n: number, columns: string) =>
    rows(db, `update accounts set ${columns} where email = $1`, [people[n]!.email])
  await rows(db, 'update accounts set email_confirmed_at = null')
  await set(0, `email_confirmed_at = now(), time_zone = 'Asia/Tokyo', locale = 'en'`)
  await set(1, 'email_confirmed_at = now(), closed_at = now()')
  await deleteMails()
  const at = new Date('2026-11-16T03:00:00.000Z')
  await db.transaction((tx) => queueRestoreMails(tx, at))
  const facts = { at: at.toISOString(), timeZone: 'Asia/Tokyo' }
  assert.deepEqual(
    (await readMails()).map((mail) => [mail.to_address, mail.locale, mail.facts]),
    [[people[0]!.email, 'en', facts]],
  )
  await deleteMails()
})

test('a mail about many incidents names the first fifty and counts all of them', async () => {
  await deleteMails()
  const incidents = Array.from({ length: MAILED_INCIDENTS_MAX + 7 }, (_, n) => ({
    number: n + 1,
    transactionId: null,
  }))
  await db.transaction((tx) =>
    queueIncidentMail(deps, tx, 'operator@example.com', { what: 'mismatch', incidents }),
  )
  const [mail] = await readMails()
  const { number, others, count, timeZone } = mail!.facts as {
    number: number
    others: { number: number }[]
    count: number
    timeZone: string
  }
  assert.deepEqual([number, others.length, others.at(-1)?.number, count], [1, 49, 50, 57])
  assert.deepEqual([mail!.to_address, mail!.locale, timeZone], ['operator@example.com', 'en', 'UTC'])
})

test('until an address is confirmed, its account gets at most twenty notices a day; mails with links are not counted', async (t) => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const rotate = () => owner.post(`/portal/api/projects/${id}/test-secret/rotate`)
  const countNotices = async () =>
    (await rows(db, `select from mails where to_address = $1 and kind = 'secret_rotated'`, [owner.email]))
      .length
  for (let n = 0; n < 25; n += 1) assert.equal((await rotate()).status, 200)
  assert.equal(await countNotices(), 20)
  // Links still arrive, so that the person can confirm the address.
  assert.equal((await owner.post('/portal/api/password/forgot', { email: owner.email })).status, 202)
  const links = `select from mails where to_address = $1 and kind = 'reset_password'`
  assert.equal((await rows(db, links, [owner.email])).length, 1)
  t.mock.method(deps.clock, 'nowMs', () => Date.now() + 24 * 3_600_000)
  await rotate()
  assert.equal(await countNotices(), 21)
  t.mock.restoreAll()
  await rows(db, 'update accounts set email_confirmed_at = now() where email = $1', [owner.email])
  await rotate()
  assert.equal(await countNotices(), 22)
})

test('a mail about callbacks has the language and time zone of its recipient', async () => {
  await deleteMails()
  const owner = await signUp(app)
  const [account] = await rows<{ id: string }>(db, 'select id from accounts where email = $1', [owner.email])
  await deleteMails()
  const recipient = { ...CLOSED, id: account!.id }
  const mail = { kind: 'deliveries_healed', project: 'A', projectId: 'ab', count: 1, givenUp: 0 } as const
  await db.transaction((tx) => queueDeliveryMail(deps, tx, recipient, mail))
  const [row] = await readMails()
  const { timeZone, count } = row!.facts as { timeZone: string; count: number }
  assert.deepEqual([row!.to_address, row!.locale, timeZone, count], [CLOSED.email, 'cnr', 'Asia/Tokyo', 1])
})
