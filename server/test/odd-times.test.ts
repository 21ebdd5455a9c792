import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, signUp } from './client.ts'
import { queueCallbacks } from './deliveries.ts'
import { startTestService } from './harness.ts'

const { app, deps } = await startTestService()
const owner: Client = await signUp(app)
const { id: projectId } = await owner.addProject({})
const base = `/portal/api/projects/${projectId}`
await queueCallbacks(deps.db, projectId, 3, { customId: 'order-1', dueInSec: 60 })

type SendText = (text: string) => ReturnType<Client['get']>
const inQuery =
  (path: string, name: string): SendText =>
  (text) =>
    owner.get(`${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`)

const TIMES: Readonly<Record<string, SendText>> = {
  'the list of payments, `from`': (from) => owner.post('/sdk/transactions/list', { from }),
  'the list of payments, `to`': (to) => owner.post('/sdk/transactions/list', { to }),
  'the file of payments, `from`': inQuery(`${base}/transactions.csv`, 'from'),
  'the file of payments, `to`': inQuery(`${base}/transactions.csv`, 'to'),
  'the delivery log, `from`': inQuery(`${base}/deliveries`, 'from'),
  'the delivery log, `to`': inQuery(`${base}/deliveries`, 'to'),
  'the delivery log by customId, `from`': inQuery(`${base}/deliveries?q=order`, 'from'),
  'the file of deliveries, `from`': inQuery(`${base}/deliveries.csv`, 'from'),
  'the file of deliveries, `to`': inQuery(`${base}/deliveries.csv`, 'to'),
  'resending failed callbacks, `since`': (since) => owner.post(`${base}/deliveries/resend-failed`, { since }),
  'stats, `from`': inQuery(`${base}/stats`, 'from'),
  'stats, `to`': inQuery(`${base}/stats`, 'to'),
}

const INVALID_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999-00:01',
  '2026-02-30T00:00:00Z',
  '2026-02-01T24:00:00Z',
  '2026-02-01T00:00:60Z',
  '2026-02-01T00:00:00+24:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  'infinity',
  'now',
]
/** Two times have a larger time zone offset than PostgreSQL accepts. One time has more decimals than PostgreSQL stores. */
const VALID_TIMES = [
  '2026-01-02T03:04:05+23:59',
  '2026-01-02T03:04:05-23:59',
  '2026-01-02T03:04:05.123456789Z',
]

for (const [routeName, send] of Object.entries(TIMES)) {
  test(`${routeName}: an invalid time is refused with 400, and an unusual but valid time is accepted`, async () => {
    for (const text of INVALID_TIMES) {
      const response = await send(text)
      assert.deepEqual(
        [response.status, response.code],
        [400, 'invalid_request'],
        `${text}: ${response.text}`,
      )
    }
    for (const text of VALID_TIMES) {
      const response = await send(text)
      // Stats have a maximum range. A request with only `from` or only `to` may exceed this range.
      const isRefusal = response.status === 400 && response.text.includes('range_too_long')
      assert.ok(response.status < 300 || isRefusal, `${text}: ${response.text}`)
    }
  })
}

test('the earliest and the latest possible time are accepted, except in stats', async () => {
  for (const text of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])
    for (const [routeName, send] of Object.entries(TIMES))
      if (!routeName.startsWith('stats')) assert.ok((await send(text)).status < 300, `${routeName}: ${text}`)
})

const MSG = `msg_${'0'.repeat(32)}`
const toCursor = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const CURSORS: Readonly<Record<string, readonly [send: SendText, bad: readonly unknown[]]>> = {
  'the delivery log': [
    inQuery(`${base}/deliveries`, 'cursor'),
    ['2026-02-30', '0000-01-01', '2026-13-01', '2026-00-10', '2025-02-29']
      .map((day): unknown => [`${day}T00:00:00.000000Z`, MSG])
      .concat(
        [
          ['2026-01-01T24:00:00.000000Z', MSG],
          ['2026-01-01T00:00:60.000000Z', MSG],
        ],
        [['2026-01-01T00:00:00.000000Z', 'msg_\u0000'], ['infinity', MSG], [null, MSG], [], {}],
      ),
  ],
  'the delivery log by customId': [
    inQuery(`${base}/deliveries?q=order`, 'cursor'),
    [
      ['\u0000', MSG],
      ['order\u0000', MSG],
      ['\ud800', MSG],
      ['x'.repeat(129), MSG],
      ['', MSG],
      [1, MSG],
    ],
  ],
  'the audit': [
    inQuery('/portal/api/audit', 'cursor'),
    [
      '\u0000',
      `${MSG}\u0000`,
      '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5g',
      ' 0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
    ],
  ],
  'a project’s history': [
    inQuery(`${base}/history`, 'cursor'),
    ['\u0000', '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f\n', '{}'],
  ],
}

for (const [routeName, [send, bad]] of Object.entries(CURSORS)) {
  test(`${routeName}: a malformed cursor is refused with 400`, async () => {
    for (const value of bad) {
      const response = await send(toCursor(value))
      assert.deepEqual([response.status, response.code], [400, 'invalid_request'], JSON.stringify(value))
    }
  })
}

test('a cursor with the longest possible customId returns the next page', async () => {
  const customId = '😀'.repeat(128)
  const queued = await queueCallbacks(deps.db, projectId, 2, { customId, dueInSec: 60 })
  type Page = { items: { id: string }[]; nextCursor: string | null }
  const send = async (cursor = '') => {
    const response = await owner.get(`${base}/deliveries?q=${encodeURIComponent('😀')}&limit=1${cursor}`)
    assert.equal(response.status, 200, response.text)
    return response.json<Page>()
  }
  const first = await send()
  const second = await send(`&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.items, ...second.items].map(({ id }) => id).toSorted(), queued.toSorted())
})
