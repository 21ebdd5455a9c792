import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptView, CallbackView, Problem } from '@pazar/contract'
import { verifyCallback } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { untilAttempt } from '../../test/deliveries.ts'
import { toIds, startDeliveryOwner } from '../../test/delivery-owner.ts'
import { respondWith } from '../../test/merchant.ts'
import { readSecret } from '../secrets/secrets.ts'
import { startDeliveryWorker } from '../callbacks/worker-loop.ts'

const { merchant, service, owner, projectId, base, list } = await startDeliveryOwner()
const { deps } = service
const { db } = deps

test('a test callback is signed with the test secret, returns its outcome, and creates no payment', async () => {
  const response = await owner.post(`${base}/test-callbacks`, {
    status: 'success',
    amount: 1500,
    data: 'Kafa',
    customId: 'order-9',
  })
  assert.equal(response.status, 200, response.text)
  const { callback, attempt } = response.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual(
    [callback.status, callback.mode, callback.transactionId, callback.attempts, callback.customId],
    ['delivered', 'test', null, 1, 'order-9'],
  )
  assert.deepEqual(
    [attempt.trigger, attempt.outcome, attempt.statusCode, attempt.cause],
    ['test', 'delivered', 200, null],
  )
  const [received] = merchant.received
  const secret = await readSecret(deps, db, projectId, 'test')
  const verified = await verifyCallback(received!.raw, received!.headers, {
    secret,
    mode: 'test',
    expectedAmount: '1500',
  })
  assert.equal(verified.status, 'success')
  assert.match(secret, /^sk_test_/)
  assert.deepEqual(await rows(db, `select from transactions where custom_id = 'order-9'`), [])
  assert.deepEqual(toIds(await list('?mode=test')), [callback.id])
})

test('a test callback that fails returns the cause, and is not retried', async () => {
  merchant.reply = respondWith(500, 'Fatal error: Uncaught TypeError')
  const response = await owner.post(`${base}/test-callbacks`, { status: 'fail', amount: '700' })
  const { callback, attempt } = response.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, callback.nextAt, callback.result], ['exhausted', null, 'fail'])
  assert.deepEqual([attempt.outcome, attempt.statusCode, attempt.nextAt], ['http_error', 500, null])
  assert.match(attempt.cause!, /500/)
  assert.equal(attempt.responseExcerpt, 'Fatal error: Uncaught TypeError')
  assert.equal(merchant.received[0]!.body['failureCode'], 'declined')
  const worker = startDeliveryWorker(deps)
  await worker.stop()
  assert.equal(merchant.received.length, 1)
})

test('a test callback about a refund is sent only to a project that chose this event, and has no field `status`', async () => {
  const body = { event: 'refund.result', status: 'success', amount: '500', customId: 'order-11' }
  const refused = await owner.post(`${base}/test-callbacks`, body)
  assert.deepEqual(
    [refused.status, refused.json<{ errors: { path: string; code: string }[] }>().errors[0]?.code],
    [400, 'event_not_chosen'],
  )
  assert.equal(merchant.received.length, 0)
  await owner.stepUp()
  await owner.post('/sdk/project/update', { projectId, events: ['payment.result', 'refund.result'] })
  const secret = await readSecret(deps, db, projectId, 'test')
  for (const [status, refundStatus, refundedTotal] of [
    ['success', 'succeeded', '500'],
    ['fail', 'failed', '0'],
  ] as const) {
    const response = await owner.post(`${base}/test-callbacks`, { ...body, status })
    assert.equal(response.status, 200, response.text)
    const { callback } = response.json<{ callback: CallbackView }>()
    assert.deepEqual(
      [callback.event, callback.result, callback.status],
      ['refund.result', status, 'delivered'],
    )
    const received = merchant.received.at(-1)!
    assert.equal('status' in received.body || 'successful' in received.body, false)
    const options = { secret, expectedAmount: '', events: ['refund.result'] } as const
    const verified = await verifyCallback(received.raw, received.headers, options)
    assert.ok(verified.event === 'refund.result')
    assert.deepEqual([verified.refundStatus, verified.refundedTotal], [refundStatus, refundedTotal])
    assert.equal(verified.refundId, callback.refundId)
  }
  await owner.stepUp()
  await owner.post('/sdk/project/update', { projectId, events: ['payment.result'] })
})

test('a test callback about a dispute is sent only to a project that chose its event, and can be resent', async () => {
  const body = { event: 'dispute.opened', status: 'success', amount: '500', customId: 'order-12' }
  assert.equal((await owner.post(`${base}/test-callbacks`, body)).status, 400)
  assert.equal(merchant.received.length, 0)
  const events = ['payment.result', 'dispute.opened', 'dispute.closed'] as const
  await owner.stepUp()
  await owner.post('/sdk/project/update', { projectId, events })
  const secret = await readSecret(deps, db, projectId, 'test')
  for (const [event, status, disputeStatus] of [
    ['dispute.opened', 'success', 'open'],
    ['dispute.opened', 'fail', 'open'],
    ['dispute.closed', 'success', 'won'],
    ['dispute.closed', 'fail', 'lost'],
  ] as const) {
    const response = await owner.post(`${base}/test-callbacks`, { ...body, event, status })
    assert.equal(response.status, 200, response.text)
    const { callback } = response.json<{ callback: CallbackView }>()
    assert.deepEqual([callback.event, callback.result, callback.status], [event, null, 'delivered'])
    const received = merchant.received.at(-1)!
    const verified = await verifyCallback(received.raw, received.headers, {
      secret,
      expectedAmount: '',
      events,
    })
    assert.ok(verified.event === event)
    assert.deepEqual([verified.disputeStatus, verified.disputeId], [disputeStatus, callback.disputeId])
    assert.equal('respondBy' in verified, event === 'dispute.opened')
    assert.doesNotMatch(received.raw.toString(), /"status"|"successful"|"failureCode"/)
  }
  const sent = merchant.received.at(-1)!
  const id = String(sent.headers['webhook-id'])
  const resent = await owner.post(`${base}/deliveries/${id}/resend`, { again: true })
  assert.equal(resent.status, 202, resent.text)
  // The resend is the second attempt of this callback.
  const worker = startDeliveryWorker(deps)
  await untilAttempt(db, id, 2)
  await worker.stop()
  const { hash: _first, ...facts } = sent.body
  const { hash: _second, ...repeated } = merchant.received.at(-1)!.body
  assert.deepEqual([merchant.received.length, repeated], [5, facts])
  const csv = await owner.get(`${base}/deliveries.csv?mode=test&q=order-12&lang=en`)
  assert.match(
    csv.text.split('\r\n')[0]!,
    /,Event,Refund ID,Dispute ID,Status code reported by the CLI,Duration reported by the CLI \(ms\)$/,
  )
  assert.match(csv.text, new RegExp(`,dispute\\.closed,,${String(facts['disputeId'])},,\r\n`))
  await owner.stepUp()
  await owner.post('/sdk/project/update', { projectId, events: ['payment.result'] })
})

test('without `to`, a test callback goes to the test URL if there is one', async () => {
  const other = (await owner.addProject({ apiUrl: merchant.url })).id
  await rows(db, 'update projects set test_api_url = $2 where id = $1', [
    other,
    merchant.url.replace('/callback', '/test'),
  ])
  const response = await owner.post(`/portal/api/projects/${other}/test-callbacks`, {
    status: 'success',
    amount: '1',
  })
  assert.equal(
    response.json<{ attempt: AttemptView }>().attempt.url,
    merchant.url.replace('/callback', '/test'),
  )
})

test('a test callback for listeners fails if no listener is connected, and its cause says so', async () => {
  const response = await owner.post(`${base}/test-callbacks`, {
    status: 'success',
    amount: '1',
    to: 'listeners',
  })
  const { callback, attempt } = response.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, attempt.outcome, attempt.url], ['exhausted', 'connect', 'listeners'])
  assert.match(attempt.cause!, /No CLI is connected/)
  assert.equal(merchant.received.length, 0)
})

test('empty data in a test callback counts as no data, as in a pay link', async () => {
  const response = await owner.post(`${base}/test-callbacks`, { status: 'success', amount: '1', data: '' })
  assert.equal(response.json<{ callback: CallbackView }>().callback.data, null)
  assert.equal('data' in merchant.received[0]!.body, false)
})

for (const body of [
  {},
  { status: 'success' },
  { status: 'paid', amount: '1' },
  { status: 'success', amount: '0' },
  { status: 'success', amount: '1.5' },
  { status: 'success', amount: '1', to: 'https://evil.example.com' },
  { status: 'success', amount: '1', url: 'https://evil.example.com' },
  { status: 'success', amount: '1', customId: ' x' },
  { status: 'success', amount: '1', data: 'ž'.repeat(1025) },
]) {
  test(`a request for a test callback with ${JSON.stringify(body).slice(0, 60)} is refused`, async () => {
    const response = await owner.post(`${base}/test-callbacks`, body)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'])
    assert.equal(merchant.received.length, 0)
  })
}

test('a missing amount is reported as required', async () => {
  const response = await owner.post(`${base}/test-callbacks`, { status: 'success' })
  const { errors } = response.json<Problem>()
  assert.deepEqual(
    errors?.map(({ path, code }) => [path, code]),
    [['amount', 'required']],
  )
})

test('test callbacks are limited per account', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_TEST_CALLBACK: '2' })
  const limitedOwner = new Client(limited.app)
  for (const [name, value] of owner.jar) limitedOwner.jar.set(name, value)
  const send = () => limitedOwner.post(`${base}/test-callbacks`, { status: 'success', amount: '1' })
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
  const third = await send()
  assert.deepEqual([third.status, third.code], [429, 'rate_limited'])
  assert.ok(Number(third.headers['retry-after']) > 0)
  assert.equal(merchant.received.length, 2)
})

test('with `to: url`, a test callback goes to the test URL if there is one, and otherwise to the live URL', async () => {
  const send = async () =>
    (await owner.post(`${base}/test-callbacks`, { status: 'success', amount: '5', to: 'url' })).json<{
      attempt: AttemptView
    }>().attempt.url
  assert.equal(await send(), merchant.url)
  const testApiUrl = `${merchant.url}?test=1`
  await owner.post('/sdk/project/update', { projectId, testApiUrl })
  assert.equal(await send(), testApiUrl)
  await owner.post('/sdk/project/update', { projectId, testApiUrl: null })
})
