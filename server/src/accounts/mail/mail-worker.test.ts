// Sends mails through a mail server that works, is down or hangs, and into files.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { findMail, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import type { Statement } from '../../db/pool.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { Config } from '../../config.ts'
import { createMailer } from '../mailer.ts'
import { claimMail, recordFailure, recordSent } from './mails-store.ts'
import { queueMail } from './queue-mail.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

interface Received {
  to: string[]
  raw: string
}

async function startMailServer(
  port = 0,
): Promise<{ port: number; received: Received[]; stop(): Promise<void> }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map((one) => one.address)
        received.push({ to, raw: Buffer.concat(chunks).toString('latin1') })
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  return { port: (server.server.address() as AddressInfo).port, received, stop }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Decodes quoted-printable, in which text with š and ć is sent. */
function decode(raw: string): string {
  const bytes = raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const replicaWith = (port: number) => service.replica({ SMTP_URL: `smtp://127.0.0.1:${port}` })
const forget = () => rows(db, 'delete from mails')
const makeDue = () => rows(db, 'update mails set next_at = now(), lease_until = null')

interface State {
  attempts: number
  sent: boolean
  gave_up: boolean
  sealed: boolean
  last_error: string | null
  in_sec: number
}

async function stateOf(to: string): Promise<State> {
  const text = `select attempts, sent_at is not null as sent, gave_up_at is not null as gave_up,
    sealed_token is not null as sealed, last_error, round(extract(epoch from next_at - now()))::integer as in_sec
    from mails where to_address = $1`
  const [row] = await rows<State>(db, text, [to])
  return row!
}

test('a mail arrives with a link that works, and its token is then deleted from the database', async () => {
  await forget()
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
  const state = await stateOf(body.email)
  assert.deepEqual([state.sent, state.sealed, state.attempts], [true, false, 1])
  assert.equal((await new Client(app).post('/portal/api/email/confirm', { token: link[1] })).status, 204)
})

/** Sends a mail to a server without TLS and returns everything that server received. */
async function sendWithoutTls(t: TestContext, config: Partial<Config>): Promise<string> {
  let received = ''
  const relay = createServer((socket) => {
    socket.write('220 relay\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString()
      const isTls = /^STARTTLS/im.test(chunk.toString())
      socket.write(
        isTls ? '502 no TLS here\r\n' : /^DATA/im.test(chunk.toString()) ? '354 go\r\n' : '250 ok\r\n',
      )
    })
  }).listen(0, '127.0.0.1')
  t.after(() => relay.close())
  await once(relay, 'listening')
  const { port } = relay.address() as AddressInfo
  const replica = await replicaWith(port)
  const worker = createMailer({ ...replica.deps, config: { ...replica.deps.config, ...config } })
  await worker.runOnce()
  await worker.stop()
  return received
}

test('where TLS is required, a server without it receives neither address nor link, and the mail stays queued', async (t) => {
  await forget()
  const owner = await signUp(app)
  const received = await sendWithoutTls(t, { smtpRequireTls: true })
  assert.match(received, /STARTTLS/)
  assert.doesNotMatch(received, /MAIL FROM|RCPT TO|AUTH|token=/i)
  assert.ok(!received.includes(owner.email))
  const state = await stateOf(owner.email)
  assert.deepEqual([state.sent, state.sealed, state.last_error], [false, true, 'ETLS 502'])
  await makeDue()
  assert.match(await sendWithoutTls(t, { smtpRequireTls: false }), /MAIL FROM/)
})

test('nothing is sent over STARTTLS with an untrusted certificate', async () => {
  await forget()
  const owner = await signUp(app)
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    onMailFrom(address, _session, done) {
      received.push(address.address)
      done()
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const replica = await replicaWith((server.server.address() as AddressInfo).port)
  const worker = createMailer({
    ...replica.deps,
    config: { ...replica.deps.config, smtpRequireTls: true },
  })
  await worker.runOnce()
  await worker.stop()
  await new Promise<void>((resolve) => server.close(resolve))
  assert.deepEqual(received, [])
  assert.equal((await stateOf(owner.email)).sent, false)
})

test('while the mail server is down requests succeed, and the mail arrives when it is back', async () => {
  await forget()
  const port = await findFreePort()
  const replica = await replicaWith(port)
  const owner = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  assert.equal(await worker.runOnce(), 1)
  const state = await stateOf(owner.email)
  assert.deepEqual(
    [state.sent, state.gave_up, state.sealed, state.last_error],
    [false, false, true, 'ESOCKET'],
  )
  assert.ok(state.in_sec > 25 && state.in_sec <= 30, String(state.in_sec))
  // The retry is not due yet, so nothing is sent.
  assert.equal(await worker.runOnce(), 0)
  assert.equal((await owner.post('/portal/api/password/forgot', { email: owner.email })).status, 202)

  const server = await startMailServer(port)
  await makeDue()
  assert.equal(await worker.runOnce(), 2)
  await worker.stop()
  await server.stop()
  assert.deepEqual(server.received.map((one) => one.to).flat(), [owner.email, owner.email])
})

test('a mail server that accepts the connection and never responds delays only the worker', async () => {
  await forget()
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  after(() => silent.close())
  await once(silent, 'listening')
  const replica = await replicaWith((silent.address() as AddressInfo).port)
  const first = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  const running = worker.runOnce()
  await once(silent, 'connection')
  const second = await signUp(replica.app)
  assert.equal((await second.post('/portal/api/password/forgot', { email: second.email })).status, 202)
  for (const socket of sockets) socket.destroy()
  const stopped = worker.stop()
  await running
  await stopped
  assert.equal((await stateOf(first.email)).sent, false)
  // stop() waited for the mail being sent and claimed no other.
  assert.equal((await stateOf(second.email)).attempts, 0)
})

test("a mail server's error text is not stored, because it can contain addresses", async () => {
  await forget()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(address, _session, done) {
      done(Object.assign(new Error(`${address.address} is unknown here`), { responseCode: 550 }))
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const replica = await replicaWith((server.server.address() as AddressInfo).port)
  const owner = await signUp(replica.app)
  service.logs.length = 0
  const worker = createMailer(replica.deps)
  await worker.runOnce()
  await worker.stop()
  await new Promise<void>((resolve) => server.close(resolve))
  assert.equal((await stateOf(owner.email)).last_error, 'EENVELOPE 550')
  assert.ok(service.logs.some((line) => line.includes('mail not sent')))
  assert.ok(!service.logs.join('').includes(owner.email))
})

test('a mail is retried less and less often for about three days; then it is given up and its link deleted', async () => {
  await forget()
  const replica = await replicaWith(await findFreePort())
  const owner = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  const waits: number[] = []
  for (;;) {
    await makeDue()
    assert.equal(await worker.runOnce(), 1)
    const state = await stateOf(owner.email)
    if (state.gave_up) break
    assert.ok(state.sealed)
    waits.push(Math.round(state.in_sec / 30) * 30)
  }
  assert.deepEqual(waits, [30, 120, 600, 3600, 21_600, 43_200, 86_400, 86_400])
  const days = waits.reduce((sum, one) => sum + one, 0) / 86_400
  assert.ok(days > 2.5 && days < 3.5)
  assert.equal((await stateOf(owner.email)).sealed, false)
  await makeDue()
  assert.equal(await worker.runOnce(), 0)
  await worker.stop()
})

test('a mail whose link expired or was voided while it was queued is dropped', async () => {
  await forget()
  const [late, changed, fine] = [await signUp(app), await signUp(app), await signUp(app)]
  await rows(db, 'update mail_tokens set expires_at = now() where email = $1', [late.email])
  const to = `nova.${changed.email}`
  await changed.stepUp()
  assert.equal((await changed.post('/portal/api/email', { email: to })).status, 202)
  const password = 'sedam plavih brodova kod obale'
  assert.equal((await changed.post('/portal/api/password', { password })).status, 204)
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const worker = createMailer(replica.deps)
  await worker.runOnce()
  await worker.stop()
  await server.stop()
  for (const address of [late.email, to]) {
    const state = await stateOf(address)
    assert.deepEqual([state.sent, state.gave_up, state.sealed], [false, true, false], address)
  }
  const receivers = server.received.flatMap((one) => one.to)
  assert.ok(receivers.includes(fine.email) && receivers.includes(changed.email), receivers.join(' '))
  assert.ok(!receivers.includes(late.email) && !receivers.includes(to), receivers.join(' '))
})

test('a mail sent while the database is down is recorded when it is back, and not sent again', async () => {
  await forget()
  const server = await startMailServer()
  const replica = await replicaWith(server.port)
  const email = 'away@example.me'
  const body = { email, password: 'tri zelena jaja u gnijezdu', locale: 'cnr' }
  assert.equal((await new Client(app).post('/portal/api/sign-up', body)).status, 201)
  let refusals = 0
  const shaky = {
    ...replica.deps.db,
    query: <Row extends object>(what: Statement, values?: readonly unknown[]): Promise<Row[]> => {
      if (what.name !== 'mails.sent' || refusals >= 2) return replica.deps.db.query<Row>(what, values)
      refusals += 1
      return Promise.reject(new ServiceError('unavailable'))
    },
  }
  const worker = createMailer({ ...replica.deps, db: shaky })
  assert.equal(await worker.runOnce(), 1)
  assert.equal(refusals, 2)
  assert.equal(server.received.length, 1)
  assert.equal((await stateOf(email)).sent, true)
  await worker.stop()
  await server.stop()
})

test('two workers at the same time send each mail once', async () => {
  await forget()
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

test('a mail that one worker is claiming is skipped by another', async () => {
  await forget()
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

test('after its lease ends a mail is claimed by another worker, and the first can no longer record it', async () => {
  await forget()
  const owner = await signUp(app)
  const dead = await claimMail(db)
  assert.equal(dead?.to, owner.email)
  assert.equal(await claimMail(db), null)
  await rows(db, `update mails set lease_until = lease_until - interval '120 seconds'`)
  const alive = await claimMail(db)
  assert.equal(alive?.id, dead.id)
  await recordFailure(db, dead, { error: 'late', retryInSec: null })
  await recordSent(db, dead)
  assert.deepEqual([(await stateOf(owner.email)).gave_up, (await stateOf(owner.email)).sent], [false, false])
  await recordSent(db, alive)
  assert.equal((await stateOf(owner.email)).sent, true)
})

test('without a mail server mails are written to files that only their owner may read', async () => {
  await forget()
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

test('a mail is queued only if the change it reports is committed', async () => {
  await forget()
  const owner = await signUp(app)
  const [account] = await rows<{ id: string }>(db, 'select id from accounts where email_key = $1', [
    owner.email,
  ])
  const reader = { id: account!.id, email: owner.email, locale: 'en', timeZone: 'UTC' } as Parameters<
    typeof queueMail
  >[2]
  const client = { ip: '::1', userAgent: '' }
  await assert.rejects(
    db.transaction(async (tx) => {
      await queueMail(deps, tx, reader, { kind: 'secret_revealed', client, project: 'Knjižara' })
      throw new Error('the secret could not be opened')
    }),
  )
  assert.equal(await findMail(service, owner.email, 'secret_revealed'), null)
  await db.transaction((tx) =>
    queueMail(deps, tx, reader, { kind: 'secret_rotated', client, project: 'K', mode: 'live' }),
  )
  assert.ok(await findMail(service, owner.email, 'secret_rotated'))
})

test('a sealed link that was copied to another mail, or whose key is lost, is not sent', async () => {
  await forget()
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
  assert.equal((await stateOf(marko.email)).sent, false)
})

test('a started worker polls once a second in a single loop, and sends nothing after it is stopped', async () => {
  await forget()
  const pauses: { ms: number; end: () => void }[] = []
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      pauses.push({ ms, end: resolve })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const worker = createMailer(deps, { wait })
  worker.start()
  worker.start()
  await until(() => pauses.length > 0, 'it found nothing and waits')
  const owner = await signUp(app)
  assert.equal((await stateOf(owner.email)).attempts, 0)
  pauses[0]!.end()
  await until(() => pauses.length > 1, 'it polled and waits again')
  assert.deepEqual(
    pauses.map(({ ms }) => ms),
    [1_000, 1_000],
  )
  assert.equal((await stateOf(owner.email)).sent, true)

  await worker.stop()
  const late = await signUp(app)
  for (const { end } of pauses) end()
  // The mail was due all the time, and the next worker makes its first attempt.
  const next = createMailer(deps)
  assert.equal(await next.runOnce(), 1)
  await next.stop()
  assert.equal((await stateOf(late.email)).attempts, 1)
  assert.equal(pauses.length, 2)
})
