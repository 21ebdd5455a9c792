import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { rows } from '../../../test/accounts.ts'
import { signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import type { Config } from '../../config.ts'
import { createMailTransport } from './mail-transport.ts'
import { createMailer } from '../mailer.ts'
import { startMailServer, findFreePort } from '../../../test/mail-server.ts'
import { readMailState } from '../../../test/mail-state.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

const replicaWith = (port: number) => service.replica({ SMTP_URL: `smtp://127.0.0.1:${port}` })
const deleteMails = () => rows(db, 'delete from mails')
const makeDue = () => rows(db, 'update mails set next_at = now(), lease_until = null')

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

test('a server without the required TLS receives neither address nor link, and the mail stays queued', async (t) => {
  await deleteMails()
  const owner = await signUp(app)
  const received = await sendWithoutTls(t, { smtpRequireTls: true })
  assert.match(received, /STARTTLS/)
  assert.doesNotMatch(received, /MAIL FROM|RCPT TO|AUTH|token=/i)
  assert.ok(!received.includes(owner.email))
  const state = await readMailState(db, owner.email)
  assert.deepEqual([state.sent, state.sealed, state.last_error], [false, true, 'ETLS 502'])
  await makeDue()
  assert.match(await sendWithoutTls(t, { smtpRequireTls: false }), /MAIL FROM/)
})

test('nothing is sent over STARTTLS with an untrusted certificate', async () => {
  await deleteMails()
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
  assert.equal((await readMailState(db, owner.email)).sent, false)
})

test('while the mail server is down, requests succeed, and their mails are sent when the server is back', async () => {
  await deleteMails()
  const port = await findFreePort()
  const replica = await replicaWith(port)
  const owner = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  assert.equal(await worker.runOnce(), 1)
  const state = await readMailState(db, owner.email)
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

test('if the mail server never ends its response, sending a mail and checking the connection fail after a time limit', async (t) => {
  const drippingServer = createServer((socket) => {
    socket.write('220 relay\r\n')
    const timer = setInterval(() => socket.write('250-and\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
    socket.on('error', () => socket.destroy())
    t.after(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  t.after(() => drippingServer.close())
  await once(drippingServer, 'listening')
  const { deps: replicaDeps } = await replicaWith((drippingServer.address() as AddressInfo).port)
  const transport = createMailTransport(replicaDeps, 500)
  const mail = {
    id: '1',
    kind: 'restored',
    from: 'a@example.com',
    to: 'b@example.com',
    subject: 's',
    text: 't',
    html: '',
    messageId: 'm@example.com',
  }
  for (const work of [() => transport.send(mail), () => transport.verify()])
    await assert.rejects(work(), { code: 'ETIMEDOUT', message: 'the mail server is too slow' })
})

test('if the mail server accepts the connection but never responds, only the worker waits', async () => {
  await deleteMails()
  const sockets: Socket[] = []
  const hangingServer = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  after(() => hangingServer.close())
  await once(hangingServer, 'listening')
  const replica = await replicaWith((hangingServer.address() as AddressInfo).port)
  const first = await signUp(replica.app)
  const worker = createMailer(replica.deps)
  const running = worker.runOnce()
  await once(hangingServer, 'connection')
  const second = await signUp(replica.app)
  assert.equal((await second.post('/portal/api/password/forgot', { email: second.email })).status, 202)
  for (const socket of sockets) socket.destroy()
  const stopped = worker.stop()
  await running
  await stopped
  assert.equal((await readMailState(db, first.email)).sent, false)
  // After stop(), no other mail was claimed.
  assert.equal((await readMailState(db, second.email)).attempts, 0)
})

test("a mail server's error text is neither stored nor logged", async () => {
  await deleteMails()
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
  assert.equal((await readMailState(db, owner.email)).last_error, 'EENVELOPE 550')
  assert.ok(service.logs.some((line) => line.includes('mail not sent')))
  assert.ok(!service.logs.join('').includes(owner.email))
})
