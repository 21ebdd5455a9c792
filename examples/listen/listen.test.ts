// Runs the listeners and exams that are written for merchants without Node, against a real service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { STREAMS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { safeVerifyCallback } from '@pazar/sdk'
import { startCliWorld } from '../../cli/test/cli-world.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { runShare } from '../../server/test/counts.ts'
import { rows } from '../../server/test/accounts.ts'
import { makeCertificate } from '../../server/test/certificates.ts'
import { createShopCode } from '../../server/test/exam/shops.ts'
import { accept, respondWith, startMerchant } from '../../server/test/merchant.ts'
import { until } from '../../server/test/until.ts'
import { ensureInstalled } from '../verify/tools.ts'

const world = await startCliWorld()
const { projectId, owner } = world
const { app, deps } = world.service
const secret = await readSecret(deps, deps.db, projectId, 'test')
const shop = await startMerchant()
after(() => shop.close())

/** The header last-event-id of each connection to the event stream. */
const lastEventIds: unknown[] = []
app.server.on('request', ({ url, headers }: { url?: string; headers: Record<string, unknown> }) => {
  if (url?.endsWith('/events')) lastEventIds.push(headers['last-event-id'])
})

function start(command: string, file: string, env: Record<string, string> = {}) {
  // All programs must accept these two addresses. The shop's address has a letter that a URL must encode. The service's
  // address ends with a slash.
  const args = [path.join(import.meta.dirname, file), `${shop.url}/plaćanje?route=pay&lang=en`]
  const service = { ...world.env, PAZAR_BASE_URL: `${world.baseUrl}/` }
  const child = spawn(command, args, { env: { ...process.env, ...service, ...env } })
  after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, output: () => output }
}

async function send(customId: string): Promise<string> {
  const body = { status: 'success', amount: '1500', customId, data: 'Šljiva 🛒', to: 'listeners' }
  const answer = await owner.post(`/portal/api/projects/${projectId}/test-callbacks`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ callback: { id: string } }>().callback.id
}

/**
 * The status with which the shop responded to the callback, as the listener reported it. Null: the shop gave no response.
 * Undefined: the listener has not reported yet.
 */
async function readReport(callbackId: string): Promise<number | null | undefined> {
  const [report] = await rows<{ reported_status: number | null }>(
    deps.db,
    'select reported_status from callback_attempts where callback_id = $1 and reported_at is not null',
    [callbackId],
  )
  return report?.reported_status
}

const certificate = makeCertificate({ names: ['127.0.0.1'] })
const certificateFile = path.join(world.dir, 'certificate.pem')
writeFileSync(certificateFile, certificate.cert)

/**
 * A proxy with TLS in front of the service. When the service sends the first text of `cuts`, the proxy cuts the connection
 * after this text, and removes the text from `cuts`.
 */
async function startCuttingProxy(cuts: string[]) {
  const server = createServer((socket) => {
    const secured = new TLSSocket(socket, { isServer: true, ...certificate })
    const upstream = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
    secured.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => {
      const [cut = ''] = cuts
      const start = cut === '' ? -1 : bytes.indexOf(cut)
      if (start < 0) return void secured.write(bytes)
      cuts.shift()
      upstream.destroy()
      // The connection ends without the closing message of TLS, as after a crash.
      secured.write(bytes.subarray(0, start + cut.length), () => socket.end())
    })
    upstream.on('end', () => secured.end())
    for (const one of [socket, secured, upstream]) one.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const LISTENERS = [
  { id: 'python', language: 'Python', command: 'python3', file: 'python/listen.py' },
  { id: 'php', language: 'PHP', command: 'php', file: 'php/listen.php' },
  { id: 'ruby', language: 'Ruby', command: 'ruby', file: 'ruby/listen.rb' },
  { id: 'shell', language: 'Shell', command: 'bash', file: 'shell/listen.sh' },
] as const
const EXAMS = [
  { id: 'python', language: 'Python', command: 'python3', file: 'python/exam.py' },
  { id: 'shell', language: 'Shell', command: 'bash', file: 'shell/exam.sh' },
] as const

test('the files are short enough to be read', () => {
  for (const { file } of [...LISTENERS, ...EXAMS]) {
    const lines = readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n')
    assert.ok(lines.length <= 60 && lines.every((line) => line.length <= 110), file)
  }
})

for (const { id: sample, language, command, file } of LISTENERS) {
  const skip = ensureInstalled(sample) ?? false
  test(
    `${language}: test callbacks reach the merchant's server unchanged, also after a reconnect, and the responses of this server are shown`,
    { skip },
    async () => {
      const customId = `order-${language}`
      const listener = start(command, file)
      await until(() => listener.output().includes('Listening.'), `it listens: ${listener.output()}`)
      const id = await send(customId)
      const received = await until(
        () => shop.received.find((one) => one.id === id),
        'the server received the callback',
      )
      assert.equal(decodeURI(received.path), '/callback/plaćanje?route=pay&lang=en')
      const checked = await safeVerifyCallback(received.raw, received.headers, {
        secret,
        projectId,
        expectedAmount: '1500',
      })
      assert.ok(checked.ok, JSON.stringify(checked))
      assert.equal(checked.callback.customId, customId)
      await until(() => listener.output().includes(`${id} 200`), 'the response of the server is printed')
      await until(async () => (await readReport(id)) === 200, 'the delivery log has the response')

      // The listener reconnects with the last event id, so that no callback is missed.
      app.server.closeAllConnections()
      await until(() => lastEventIds.includes(id), 'the listener reconnects')
      await until(() => listener.output().split('Listening.').length > 2, 'the listener listens again')

      // After a crash of the service, the account's earlier streams still count towards the limit of streams for a while, so
      // the service can refuse a reconnect.
      await rows(
        deps.db,
        `insert into event_streams (id, account_id, project_id, expires_at)
         select gen_random_uuid(), account_id, project_id, now() + interval '1 minute'
         from event_streams cross join generate_series(1, $1)`,
        [STREAMS_PER_ACCOUNT_MAX],
      )
      const reconnects = lastEventIds.length
      app.server.closeAllConnections()
      await until(() => lastEventIds.length > reconnects + 1, 'the listener tries again')
      await rows(deps.db, 'delete from event_streams')
      await until(() => listener.output().split('Listening.').length > 3, 'the listener gets a free slot')
      shop.reply = respondWith(302, '', { location: '/elsewhere' })
      const second = await send(`${customId}-2`)
      await until(() => listener.output().includes(`${second} 302`), 'a redirect is shown and not followed')
      shop.reply = (answer) => answer.destroy()
      const third = await send(`${customId}-3`)
      await until(
        () => listener.output().includes(`${third} no answer`),
        'the listener goes on after the server has broken a connection',
      )
      await until(async () => (await readReport(third)) === null, 'the delivery log has no response')
      shop.reply = accept
      const fourth = await send(`${customId}-4`)
      await until(() => listener.output().includes(`${fourth} 200`), 'the next callback is forwarded')
      listener.child.kill('SIGKILL')
      await listener.ended
    },
  )

  test(
    `${language}: a callback arrives even if the connection is cut while the callback is sent`,
    { skip },
    async () => {
      const cuts = ['id: msg_0', 'data: {"mode']
      const listener = start(command, file, {
        PAZAR_BASE_URL: await startCuttingProxy(cuts),
        SSL_CERT_FILE: certificateFile,
        CURL_CA_BUNDLE: certificateFile,
      })
      await until(() => listener.output().includes('Listening.'), `it listens: ${listener.output()}`)
      const id = await send(`order-${language}-cut`)
      await until(() => shop.received.some((one) => one.id === id), 'the callback arrives')
      assert.deepEqual(cuts, [])
      listener.child.kill('SIGKILL')
      await listener.ended
    },
  )

  test(
    `${language}: with a wrong token the listener exits and prints the service's message`,
    { skip },
    async () => {
      const refused = start(command, file, { PAZAR_TOKEN: 'pat_wrong' })
      await refused.ended
      assert.match(refused.output(), /"code":"unauthenticated"/)
      assert.doesNotMatch(refused.output(), /Listening/)
    },
  )
}

for (const { id, language, command, file } of EXAMS) {
  test(
    `${language}: the exam of a correct server passes, and the exam of a broken server says what to fix`,
    { skip: ensureInstalled(id) ?? false },
    async () => {
      const correct = createShopCode(secret)
      shop.reply = correct
      const passed = start(command, file)
      assert.equal(await passed.ended, 0, passed.output())
      assert.match(passed.output(), /^ok +Correct callback/m)
      assert.match(passed.output(), /^12 of 12$/m)
      assert.equal(decodeURI(shop.received.at(-1)?.path ?? ''), '/callback/plaćanje?route=pay&lang=en')

      shop.reply = accept
      const failed = start(command, file)
      assert.equal(await failed.ended, 1, failed.output())
      assert.match(failed.output(), /^FAIL Wrong signature .*200.* -> \S/m)

      // An exam in the shell starts more than a hundred programs, so only `npm run prove` runs this third exam.
      if (id === 'shell' && runShare === 'ci') return
      shop.reply = (answer) => answer.destroy()
      const broken = start(command, file)
      assert.equal(await broken.ended, 1, broken.output())
      assert.match(broken.output(), /^FAIL Correct callback/m)
    },
  )

  test(
    `${language}: with a wrong token the exam prints the service's message`,
    { skip: ensureInstalled(id) ?? false },
    async () => {
      const refused = start(command, file, { PAZAR_TOKEN: 'pat_wrong' })
      assert.equal(await refused.ended, 2, refused.output())
      assert.match(refused.output(), /^\{.*"code":"unauthenticated".*\}\n$/)
    },
  )
}
