import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { systemClock } from '../lib/clock.ts'
import type { NewRefund } from './backend.ts'
import { GarbledResponseError, UnknownOutcomeError } from './backend.ts'
import { createHttpRefunds } from './http-refunds.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { createHttpBackend } from './http.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const REFUND: NewRefund = {
  id: ID,
  paymentId: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914',
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  amount: 500n,
  currency: 'EUR',
  chargeId: 'ch_second',
  upstreamRef: null,
  isOwn: true,
}

test('a refund of the payment’s own charge is requested without chargeId, and a refund of another charge with chargeId', async (t) => {
  const { id, paymentId, projectId, currency } = REFUND
  const refunded = JSON.stringify({ id, paymentId, amount: '500', currency, status: 'succeeded' })
  const server = await startRawServer(t, plainResponse('200 OK', refunded, 'content-type: application/json'))
  const url = `http://127.0.0.1:${server.port}`
  const { refunds } = createHttpBackend({
    url,
    secret: UPSTREAM_SECRET,
    clock: systemClock,
    callTimeoutMs: 5_000,
  })
  for (const isOtherCharge of [true, false])
    assert.equal((await refunds!.refund({ ...REFUND, isOtherCharge })).status, 'succeeded')
  await refunds!.refund(REFUND)
  const metadata = { pazar_refund: id, pazar_transaction: paymentId, pazar_project: projectId }
  const own = { id, amount: '500', currency, metadata }
  assert.deepEqual(
    server.requests.map((text) => JSON.parse(text.split('\r\n\r\n')[1]!) as unknown),
    [{ ...own, chargeId: 'ch_second' }, own, own],
  )
})

const VALID_REFUND = JSON.stringify({
  id: ID,
  paymentId: REFUND.paymentId,
  amount: '500',
  currency: 'EUR',
  status: 'succeeded',
})

const createRefunds = (status: number, text: string, onCall?: (path: string) => void) =>
  createHttpRefunds({
    call: async ({ path }) => {
      onCall?.(path)
      return { status, bytes: Buffer.from(text) }
    },
    fetchInfo: async () => null,
    clock: systemClock,
    timeoutMs: 1_000,
  })

test('a refund is read only from 2xx and 4xx responses; a 404 to a lookup means that there is no refund', async () => {
  for (const status of [200, 299, 400, 499])
    assert.equal((await createRefunds(status, VALID_REFUND).refund(REFUND)).status, 'succeeded', `${status}`)
  for (const status of [300, 302, 399, 500, 503])
    await assert.rejects(createRefunds(status, VALID_REFUND).refund(REFUND), (error) => {
      assert.ok(error instanceof UnknownOutcomeError && !(error instanceof GarbledResponseError), `${status}`)
      return true
    })
  await assert.rejects(createRefunds(200, '{}').refund(REFUND), GarbledResponseError)
  await assert.rejects(createRefunds(404, '{}').refund(REFUND), UnknownOutcomeError)
  assert.equal(await createRefunds(404, '{}').findRefund(REFUND), null)
})

test('our own refund is looked up by our id, and any other refund by the upstream’s id, if that id is known', async () => {
  const paths: string[] = []
  const refunds = createRefunds(200, VALID_REFUND, (path) => paths.push(path))
  for (const named of [
    { isOwn: true, upstreamRef: 'rf/1' },
    { isOwn: false, upstreamRef: 'rf/1' },
    { isOwn: false },
  ])
    await refunds.findRefund({ ...REFUND, ...named })
  assert.deepEqual(
    paths.map((path) => path.split('/refunds/')[1]),
    [ID, 'rf%2F1', ID],
  )
})

test('what the upstream declares in /info is cached for a minute, and longer while the upstream does not respond', async () => {
  let nowMs = 0
  let info: (() => Promise<UpstreamInfo | null>) | null = null
  let requests = 0
  const refunds = createHttpRefunds({
    call: () => assert.fail('nothing is called'),
    fetchInfo: () => {
      requests += 1
      return info ? info() : Promise.reject(new UnknownOutcomeError('no response'))
    },
    clock: { ...systemClock, nowMs: () => nowMs },
    timeoutMs: 1_000,
  })
  await assert.rejects(refunds.isOffered(), UnknownOutcomeError)
  info = async () => ({ refunds: true }) as UpstreamInfo
  assert.equal(await refunds.isOffered(), true)
  nowMs = 59_999
  info = async () => null
  assert.deepEqual([await refunds.isOffered(), requests], [true, 2])
  nowMs = 60_000
  info = null
  assert.deepEqual([await refunds.isOffered(), requests], [true, 3])
  info = async () => null
  assert.deepEqual([await refunds.isOffered(), requests], [false, 4])
})
