// trigger, events, refund, deliveries, link, status, qr and open against a real service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { verifyCallback } from '@pazar/sdk'
import { accept, respondWith, startMerchant } from '../../server/test/merchant.ts'
import { Payer } from '../../server/test/payer.ts'
import { drawSvg, readQr, unpackPng } from '../../server/test/qr-reader.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { makeToken } from '../../server/test/api-tokens.ts'
import { payFor } from '../../server/test/refunds.ts'
import { until } from '../../server/test/until.ts'
import { startCli, startCliWorld } from '../test/cli-world.ts'

const shop = await startMerchant()
after(() => shop.close())
const world = await startCliWorld({ CALLBACK_ALLOW_HOSTS: shop.hostAndPort }, { apiUrl: shop.url })
const { call, projectId, dir, service } = world
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')

beforeEach(() => Object.assign(shop, { reply: accept, received: [] }))

test('trigger --to url sends a callback to the project’s URL, signed with the project’s test secret', async () => {
  const argv = [
    'trigger',
    'fail',
    '--to',
    'url',
    '--amount',
    '2500',
    '--custom-id',
    'order-7',
    '--data',
    'Š 7',
  ]
  const result = await call(argv)
  assert.match(result.out, new RegExp(`^msg_[0-9a-f]{32} was sent to ${shop.url}\\.$`))
  assert.equal(result.code, 0)
  const [received] = shop.received
  assert.ok(received)
  const options = { secret, projectId, mode: 'test', expectedAmount: '2500' } as const
  const { status, customId, data } = await verifyCallback(received.raw, received.headers, options)
  assert.deepEqual({ status, customId, data }, { status: 'fail', customId: 'order-7', data: 'Š 7' })
})

test('trigger refund needs a project that has subscribed to refund.result', async () => {
  const argv = ['trigger', 'refund', '--to', 'url', '--amount', '500', '--custom-id', 'order-8']
  const refused = await call(argv)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /events/)
  await world.owner.stepUp()
  await world.owner.post('/sdk/project/update', { projectId, events: ['payment.result', 'refund.result'] })
  assert.equal((await call(argv)).code, 0)
  assert.equal(shop.received[0]?.body['refundStatus'], 'succeeded')
})

test('trigger sends an opened, a won and a lost dispute if the project has subscribed to them', async () => {
  const toArgv = (kind: string) => ['trigger', kind, '--to', 'url', '--custom-id', 'order-9']
  assert.equal((await call(toArgv('dispute'))).code, 1)
  assert.equal(shop.received.length, 0)
  const events = ['payment.result', 'dispute.opened', 'dispute.closed']
  await world.owner.stepUp()
  await world.owner.post('/sdk/project/update', { projectId, events })
  for (const kind of ['dispute', 'dispute-won', 'dispute-lost'])
    assert.equal((await call(toArgv(kind))).code, 0)
  assert.deepEqual(
    shop.received.map(({ body }) => [body['event'], body['disputeStatus']]),
    [
      ['dispute.opened', 'open'],
      ['dispute.closed', 'won'],
      ['dispute.closed', 'lost'],
    ],
  )
  await world.owner.stepUp()
  await world.owner.post('/sdk/project/update', { projectId, events: ['payment.result'] })
})

test('events lists the changes of payments in order, --after continues from a cursor, and --follow prints new changes', async () => {
  const { id } = await payFor(service.deps, projectId, { mode: 'test', customId: 'events-1' })
  const all = await call(['events', '--json', '--limit', '500'])
  const { items, next } = all.json<{ items: { transactionId: string; type: string }[]; next: string }>()
  const types = items.filter((one) => one.transactionId === id).map((one) => one.type)
  assert.deepEqual(types, ['payment.created', 'payment.result'])
  assert.equal((await call(['events', '--after', next])).out, 'No events.')
  await payFor(service.deps, projectId, { mode: 'test', customId: 'events-2' })
  assert.match(
    (await call(['events', '--after', next, '--limit', '1'])).out,
    /events-2 .*\nThere are more: --after \S+$/,
  )
  const following = startCli(['events', '--after', next, '--follow', '--json'], world.env)
  await until(() => following.out().trim().split('\n').length === 2)
  await payFor(service.deps, projectId, { mode: 'test', customId: 'events-3' })
  await until(() => following.out().trim().split('\n').length === 4)
  following.child.kill('SIGINT')
  assert.equal((await following.ended).code, 130)
  assert.equal((await call(['events', '--limit', 'many'])).code, 2)
})

test('refund needs a token with the scope refund, and refunds only once with the same key', async () => {
  const { id } = await payFor(service.deps, projectId, { mode: 'test', customId: 'refund-1' })
  const readStatus = async () => (await call(['status', 'refund-1', '--mode', 'test'])).out
  const argv = ['refund', id, '--amount', '500', '--key', 'cli-1']
  const withoutScope = await call(argv)
  assert.equal(withoutScope.code, 1)
  const { token } = await makeToken(world.owner, { scope: 'refund', projectId, dailyCap: '5000' })
  const options = { env: { PAZAR_TOKEN: token } }
  const firstRefund = await call(argv, options)
  assert.match(firstRefund.out, /^re_\w+: €5\.00 refunded$/, firstRefund.err)
  assert.equal((await call(argv, options)).out, firstRefund.out)
  assert.equal(await readStatus(), 'refund-1: paid, partly refunded (Successful)')
  const emptyAmount = await call(['refund', id, '--amount', ''], options)
  assert.equal(emptyAmount.code, 1, 'an empty amount does not mean the whole payment')
  const rest = await call(['refund', id], options)
  assert.match(rest.out, /€10\.00 refunded$/)
  assert.match(rest.err, /Key: [0-9a-f-]{36}/)
  assert.equal((await call(['refund', id], options)).code, 1)
  assert.equal(await readStatus(), 'refund-1: refunded (Successful)')
})

test('trigger says why a callback failed and what to do, and exits with 1', async () => {
  shop.reply = respondWith(500)
  const serverError = await call(['trigger', 'success', '--to', 'url'])
  assert.match(serverError.out, /^Your server responded with HTTP 500.*\nCheck your server’s error log/)
  const withoutCli = await call(['trigger', 'success'])
  assert.match(withoutCli.out, /^No CLI is connected to this project\.\nStart the listen command/)
  assert.deepEqual([serverError.code, withoutCli.code], [1, 1])
  const asJson = await call(['trigger', 'success', '--json'])
  assert.deepEqual(Object.keys(asJson.json()), ['callback', 'attempt'])
  assert.equal(asJson.code, 1)
})

test('if trigger gets an invalid amount, the error names the field', async () => {
  const result = await call(['trigger', 'success', '--amount', '0'])
  assert.match(result.err, /^The request is not valid\..*\n {2}amount: .+\nCorrect it and try again\.$/)
})

test('deliveries list shows the log with the given filters', async () => {
  const name = 'list-me'
  await call(['trigger', 'success', '--to', 'url', '--custom-id', name])
  const result = await call(['deliveries', 'list', '--mode', 'test', '--search', name, '--limit', '5'])
  assert.match(
    result.out,
    /^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d {2}msg_[0-9a-f]{32} {2}test {2}payment\.result {2}success {2}list-me {2}Delivered {2}\[200\]$/,
  )
  const { items } = (await call(['deliveries', 'list', '--search', name, '--json'])).json<{
    items: object[]
  }>()
  assert.equal(items.length, 1)
  assert.equal((await call(['deliveries', 'list', '--mode', 'live'])).out, 'No callbacks found.')
  assert.match((await call(['deliveries', 'list', '--limit', '1000'])).err, /limit: /)
  assert.match((await call(['deliveries', 'list', '--status', 'lost'])).err, /status: /)
})

test('deliveries resend queues a callback again, but a delivered callback only with --again', async () => {
  shop.reply = respondWith(500)
  const failed = (await call(['trigger', 'success', '--to', 'url', '--json'])).json<{
    callback: { id: string }
  }>()
  const queued = await call(['deliveries', 'resend', failed.callback.id])
  assert.equal(queued.out, `${failed.callback.id} will be sent again now.`)
  shop.reply = accept
  const sent = (await call(['trigger', 'success', '--to', 'url', '--json'])).json<{
    callback: { id: string }
  }>()
  const refused = await call(['deliveries', 'resend', sent.callback.id])
  assert.match(refused.err, /\nAdd --again to send it again\.$/)
  assert.equal((await call(['deliveries', 'resend', sent.callback.id, '--again'])).code, 0)
  assert.equal((await call(['deliveries', 'resend', `msg_${'0'.repeat(32)}`])).code, 1)
  assert.match((await call(['deliveries', 'resend', 'order-7'])).err, /callbackId: /)
})

test('link prints a signed link that can be paid, and status shows the payment', async () => {
  const fields = ['--amount', '1500', '--data', 'Narudžba 7', '--custom-id', 'status-1', '--mode', 'test']
  const url = new URL((await call(['link', ...fields])).out)
  assert.deepEqual(
    ['amount', 'project', 'data', 'customId', 'mode'].map((name) => url.searchParams.get(name)),
    ['1500', projectId, 'Narudžba 7', 'status-1', 'test'],
  )
  const beforePayment = await call(['status', 'status-1', '--mode', 'test'])
  assert.deepEqual(
    [beforePayment.out, beforePayment.code],
    ['status-1: not paid (no payment with this order ID)', 0],
  )
  assert.equal((await new Payer(service.app).pay(url.pathname + url.search)).status, 303)
  assert.equal((await call(['status', 'status-1', '--mode', 'test'])).out, 'status-1: paid (Successful)')
  assert.deepEqual((await call(['status', 'status-1', '--json'])).json(), {
    customId: 'status-1',
    mode: 'live',
    found: false,
    transactionId: null,
    state: null,
    successful: false,
    needsReview: false,
    verdict: 'notPaid',
  })
})

test('link accepts an expiry, and names a field that the service refuses', async () => {
  const link = await call(['link', '--amount', '1500', '--exp', '1900000000', '--json'])
  assert.match(String(link.json()['url']), /&exp=1900000000&sig=/)
  const refused = await call(['link', '--amount', '15.00'])
  assert.match(refused.err, /\n {2}amount: /)
  assert.equal(refused.code, 1)
})

for (const [file, unpack] of [
  ['order.png', (bytes: Buffer) => unpackPng(bytes)],
  ['order.SVG', (bytes: Buffer) => drawSvg(bytes.toString(), 4)],
] as const) {
  test(`qr saves ${file} as an image of a QR code that contains a pay link`, async () => {
    const out = path.join(dir, file)
    const result = await call([
      'qr',
      '--out',
      out,
      '--amount',
      '1500',
      '--custom-id',
      'order-7',
      '--size',
      '400',
    ])
    assert.deepEqual([result.out, result.code], [`Saved as ${out}.`, 0])
    assert.match(
      readQr(unpack(readFileSync(out))),
      /\/pay\?amount=1500&project=\w+&data=&customId=order-7&sig=/,
    )
  })
}

test('qr reports a file that cannot be written', async () => {
  const result = await call(['qr', '--out', path.join(dir, 'no/such/folder.png'), '--amount', '1500'])
  assert.match(result.err, /folder\.png cannot be written\.\nCheck the path/)
})

test('open prints the address of a page in the selected language', async () => {
  const projectUrl = `${world.baseUrl}/en/projects/${projectId}`
  assert.equal((await call(['open', '--print'])).out, projectUrl)
  assert.equal(
    (await call(['open', 'keys', '--print', '--lang', 'cnr'])).out,
    `${projectUrl.replace('/en/', '/cnr/')}/keys`,
  )
  assert.deepEqual((await call(['open', 'deliveries', '--json'])).json(), { url: `${projectUrl}/deliveries` })
})

test('errors of the service are in the selected language', async () => {
  assert.match((await call(['link', '--amount', '0', '--lang', 'cnr'])).err, /^Zahtjev nije ispravan/)
})
