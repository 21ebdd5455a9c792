// Tests how workers claim mails: several workers, an expired lease, and a database that is down.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import type { Statement } from '../../db/pool.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { createMailer } from '../mailer.ts'
import { RETRY_AFTER_SEC } from './mail-worker.ts'
import { claimMail, LEASE_SEC, planMailsSooner, recordFailure, recordSent } from './mails-store.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { readMailState } from '../../../test/mail-state.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

const replicaWith = (port: number) => service.replica({ SMTP_URL: `smtp://127.0.0.1:${port}` })
const deleteMails = () => rows(db, 'delete from mails')

test('a mail that is sent while the database is down is recorded when the database is back, and is not sent again', async () => {
  await deleteMails()
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const email = 'away@example.me'
  const body = { email, password: 'tri zelena jaja u gnijezdu', locale: 'cnr' }
  assert.equal((await new Client(app).post('/portal/api/sign-up', body)).status, 201)
  let refusals = 0
  const failingDb = {
    ...replica.deps.db,
    query: <Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
      if (statement.name !== 'mails.sent' || refusals >= 2)
        return replica.deps.db.query<Row>(statement, values)
      refusals += 1
      return Promise.reject(new ServiceError('unavailable'))
    },
  }
  const worker = createMailer({ ...replica.deps, db: failingDb })
  assert.equal(await worker.runOnce(), 1)
  assert.equal(refusals, 2)
  assert.equal(server.received.length, 1)
  assert.equal((await readMailState(db, email)).sent, true)
  await worker.stop()
  await server.stop()
})

test('two workers that run at the same time send each mail once', async () => {
  await deleteMails()
  const server = await startMailServer()
  const replicas = [await replicaWith(server.port), await replicaWith(server.port)]
  const people = await Promise.all(Array.from({ length: 12 }, () => signUp(app)))
  const workers = replicas.map((one) => createMailer(one.deps))
  const [first, second] = await Promise.all(workers.map((one) => one.runOnce()))
  await Promise.all(workers.map((one) => one.stop()))
  await server.stop()
  assert.equal(first! + second!, 12)
  assert.deepEqual(
    server.received.flatMap((one) => one.to).toSorted(),
    people.map((one) => one.email).toSorted(),
  )
})

test('a worker skips a mail that another worker is claiming', async () => {
  await deleteMails()
  await signUp(app)
  await signUp(app)
  await db.transaction(async (tx) => {
    const first = await claimMail(tx)
    const second = await claimMail(db)
    assert.ok(first && second)
    assert.notEqual(first.id, second.id)
    assert.equal(await claimMail(db), null)
  })
})

test('when the lease of a mail ends, another worker claims the mail, and the first worker can no longer record a result', async () => {
  await deleteMails()
  const owner = await signUp(app)
  const firstClaim = await claimMail(db)
  assert.equal(firstClaim?.to, owner.email)
  assert.equal(await claimMail(db), null)
  await rows(db, `update mails set lease_until = lease_until - interval '${LEASE_SEC} seconds'`)
  const secondClaim = await claimMail(db)
  assert.equal(secondClaim?.id, firstClaim.id)
  await recordFailure(db, firstClaim, { error: 'late', retryInSec: null })
  await recordSent(db, firstClaim)
  assert.deepEqual(
    [(await readMailState(db, owner.email)).gave_up, (await readMailState(db, owner.email)).sent],
    [false, false],
  )
  await recordSent(db, secondClaim)
  assert.equal((await readMailState(db, owner.email)).sent, true)
})

test('after the database’s clock was turned back, planMailsSooner shortens each wait and lease of a mail that is too long', () =>
  db.transaction(async (tx) => {
    await rows(tx, 'delete from mails')
    const insert = `insert into mails (id, kind, to_address, locale, attempts, next_at, lease_until)
      values (gen_random_uuid(), 'receipt', $1, 'en', $2, now() + make_interval(secs => $3), now() + make_interval(secs => $4))`
    type Seconds = [nextIn: number, leaseIn: number | null]
    const mails: [name: string, attempts: number, before: Seconds, after: Seconds][] = [
      ['a new mail', 0, [3_600, null], [0, null]],
      ['the first retry', 1, [3_630, null], [RETRY_AFTER_SEC[0]!, null]],
      ['a retry at the right time', 5, [6 * 3_600, null], [6 * 3_600, null]],
      ['a mail that was being sent', 1, [-10, 3_780], [-10, LEASE_SEC]],
      ['a mail that is being sent', 2, [-10, 100], [-10, 100]],
    ]
    for (const [name, attempts, before] of mails) await rows(tx, insert, [name, attempts, ...before])
    assert.equal(await planMailsSooner(tx, RETRY_AFTER_SEC), 3)
    const stored = await rows<{ name: string; next: number; lease: number | null }>(
      tx,
      `select to_address as name, extract(epoch from next_at - now())::integer as next,
         extract(epoch from lease_until - now())::integer as lease from mails`,
    )
    for (const [name, , , after] of mails) {
      const mail = stored.find((one) => one.name === name)
      assert.deepEqual([mail?.next, mail?.lease], after, name)
    }
  }))

test('planMailsSooner changes all mails that wait too long, even if they do not fit in one batch', () =>
  db.transaction(async (tx) => {
    await rows(tx, 'delete from mails')
    const insert = `insert into mails (id, kind, to_address, locale, next_at)
      select gen_random_uuid(), 'receipt', 'n@example.me', 'en', now() + interval '1 hour' from generate_series(1, 501)`
    await rows(tx, insert)
    assert.equal(await planMailsSooner(tx, RETRY_AFTER_SEC), 501)
    assert.equal(await planMailsSooner(tx, RETRY_AFTER_SEC), 0)
  }))
