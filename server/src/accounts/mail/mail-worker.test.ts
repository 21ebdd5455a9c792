import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { findMail, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { createMailer } from '../mailer.ts'
import { queueMail } from './queue-mail.ts'
import { startMailServer, findFreePort } from '../../../test/mail-server.ts'
import { readMailState } from '../../../test/mail-state.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

/** Decodes the quoted-printable encoding, which is used for text with š and ć. */
function decode(raw: string): string {
  const bytes = raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const replicaWith = (port: number) => service.replica({ SMTP_URL: `smtp://127.0.0.1:${port}` })
const deleteMails = () => rows(db, 'delete from mails')
const makeDue = () => rows(db, 'update mails set next_at = now(), lease_until = null')

test('a mail arrives with a link that works, and the token is deleted from the database after the mail is sent', async () => {
  await deleteMails()
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const owner = new Client(app)
  const body = { email: 'Ana.Šćepanović@example.me', password: 'tri zelena jaja u gnijezdu', locale: 'cnr' }
  assert.equal((await owner.post('/portal/api/sign-up', body)).status, 201)
  const worker = createMailer(replica.deps)
  assert.equal(await worker.runOnce(), 1)
  await worker.stop()
  await server.stop()

  assert.equal(server.received.length, 1)
  assert.deepEqual(server.received[0]!.to, [body.email])
  const text = decode(server.received[0]!.raw)
  assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(text, /^Content-Type: multipart\/alternative/m)
  const link = /http:\/\/localhost:3000\/cnr\/confirm-email#token=([\w-]{43})/.exec(text)
  assert.ok(link, text)
  const state = await readMailState(db, body.email)
  assert.deepEqual([state.sent, state.sealed, state.attempts], [true, false, 1])
  assert.equal((await new Client(app).post('/portal/api/email/confirm', { token: link[1] })).status, 204)
})

test('a mail is retried for about three days with growing pauses, and its link is deleted when the mail is given up', async () => {
  await deleteMails()
  const replica = await replicaWith(await findFreePort())
  const owner = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  const waits: number[] = []
  for (;;) {
    await makeDue()
    assert.equal(await worker.runOnce(), 1)
    const state = await readMailState(db, owner.email)
    if (state.gave_up) break
    assert.ok(state.sealed)
    waits.push(Math.round(state.in_sec / 30) * 30)
  }
  assert.deepEqual(waits, [30, 120, 600, 3600, 21_600, 43_200, 86_400, 86_400])
  const days = waits.reduce((sum, one) => sum + one, 0) / 86_400
  assert.ok(days > 2.5 && days < 3.5)
  assert.equal((await readMailState(db, owner.email)).sealed, false)
  await makeDue()
  assert.equal(await worker.runOnce(), 0)
  await worker.stop()
})

test('a queued mail is dropped if its link has expired or was voided', async () => {
  await deleteMails()
  const [expired, changed, valid] = [await signUp(app), await signUp(app), await signUp(app)]
  await rows(db, 'update mail_tokens set expires_at = now() where email = $1', [expired.email])
  const newEmail = `nova.${changed.email}`
  await changed.stepUp()
  assert.equal((await changed.post('/portal/api/email', { email: newEmail })).status, 202)
  const password = 'sedam plavih brodova kod obale'
  assert.equal((await changed.post('/portal/api/password', { password })).status, 204)
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const worker = createMailer(replica.deps)
  await worker.runOnce()
  await worker.stop()
  await server.stop()
  for (const address of [expired.email, newEmail]) {
    const state = await readMailState(db, address)
    assert.deepEqual([state.sent, state.gave_up, state.sealed], [false, true, false], address)
  }
  const receivers = server.received.flatMap((one) => one.to)
  assert.ok(receivers.includes(valid.email) && receivers.includes(changed.email), receivers.join(' '))
  assert.ok(!receivers.includes(expired.email) && !receivers.includes(newEmail), receivers.join(' '))
})

test('without a mail server, mails are written to files that only the system user of the service can read', async () => {
  await deleteMails()
  service.logs.length = 0
  const owner = await signUp(app)
  const worker = createMailer(deps)
  assert.equal(await worker.runOnce(), 1)
  await worker.stop()
  const dir = path.join(service.dataDir, 'mail')
  const [name, ...more] = await readdir(dir)
  assert.deepEqual(more, [])
  assert.match(name!, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-confirm_email-[0-9a-f-]{36}\.eml$/)
  const file = path.join(dir, name!)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
  const text = await readFile(file, 'utf8')
  assert.ok(text.includes(`To: ${owner.email}\r\n`))
  const token = /\/en\/confirm-email#token=([\w-]{43})\r\n/.exec(text)?.[1]
  assert.equal((await new Client(app).post('/portal/api/email/confirm', { token })).status, 204)
  const logs = service.logs.join('')
  assert.ok(logs.includes(name!), 'the log names the file')
  assert.ok(!logs.includes(token!))
})

test('a mail is queued only if the change that it reports is committed', async () => {
  await deleteMails()
  const owner = await signUp(app)
  const [account] = await rows<{ id: string }>(db, 'select id from accounts where email_key = $1', [
    owner.email,
  ])
  const recipient = { id: account!.id, email: owner.email, locale: 'en', timeZone: 'UTC' } as Parameters<
    typeof queueMail
  >[2]
  const client = { ip: '::1', userAgent: '' }
  await assert.rejects(
    db.transaction(async (tx) => {
      await queueMail(deps, tx, recipient, { kind: 'secret_revealed', client, project: 'Knjižara' })
      throw new Error('the secret could not be opened')
    }),
  )
  assert.equal(await findMail(service, owner.email, 'secret_revealed'), null)
  await db.transaction((tx) =>
    queueMail(deps, tx, recipient, { kind: 'secret_rotated', client, project: 'K', mode: 'live' }),
  )
  assert.ok(await findMail(service, owner.email, 'secret_rotated'))
})

test('a sealed link that was copied to another mail is not sent', async () => {
  await deleteMails()
  const [ana, marko] = [await signUp(app), await signUp(app)]
  await rows(db, 'update mails set sealed_token = (select sealed_token from mails where to_address = $1)', [
    ana.email,
  ])
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const worker = createMailer(replica.deps)
  assert.equal(await worker.runOnce(), 2)
  await worker.stop()
  await server.stop()
  assert.deepEqual(
    server.received.flatMap((one) => one.to),
    [ana.email],
  )
  assert.equal((await readMailState(db, marko.email)).sent, false)
})

test('a started worker polls once a second in a single loop, and sends nothing after it is stopped', async () => {
  await deleteMails()
  const pauses: { ms: number; end: () => void }[] = []
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      pauses.push({ ms, end: resolve })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const worker = createMailer(deps, { wait })
  worker.start()
  worker.start()
  await until(() => pauses.length > 0, 'the worker found no mail and waits')
  const owner = await signUp(app)
  assert.equal((await readMailState(db, owner.email)).attempts, 0)
  pauses[0]!.end()
  await until(() => pauses.length > 1, 'the worker polled and waits again')
  assert.deepEqual(
    pauses.map(({ ms }) => ms),
    [1_000, 1_000],
  )
  assert.equal((await readMailState(db, owner.email)).sent, true)

  await worker.stop()
  const secondOwner = await signUp(app)
  for (const { end } of pauses) end()
  const nextWorker = createMailer(deps)
  assert.equal(await nextWorker.runOnce(), 1)
  await nextWorker.stop()
  assert.equal((await readMailState(db, secondOwner.email)).attempts, 1)
  assert.equal(pauses.length, 2)
})
