// Why this is long: the tests share one small service and its reader.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { LIVE_SECRET, TEST_SECRET } from '../test/forge.ts'
import { ApiError, Client } from './index.ts'
import type { ClientOptions, EventFeedOptions } from './index.ts'

interface RequestBody {
  after?: string
  limit: number
  mode: string
  projectId: string
}

/** A service with `total` events, whose cursors are `c<position>`. */
function createService(total: number) {
  const requests: { url: string; token: string | null; body: RequestBody }[] = []
  const state = { total }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = (await request.json()) as RequestBody
    requests.push({ url: request.url, token: request.headers.get('authorization'), body })
    const from = Number(body.after?.slice(1) ?? 0)
    const pageEnd = Math.min(from + body.limit, state.total)
    const items = Array.from({ length: pageEnd - from }, (_, n) => ({
      id: `evt_${from + n + 1}`,
      type: 'payment.result',
    }))
    return Response.json({ items, next: `c${pageEnd}`, hasMore: pageEnd < state.total })
  }
  return { requests, state, fetch }
}

function createClient(options: Partial<ClientOptions> = {}): Client {
  return new Client({
    projectId: 'tz4a98xxat96iws9zmbrgj3a',
    secret: TEST_SECRET,
    baseUrl: 'https://pay.example.me/',
    token: 'pat_1',
    ...options,
  })
}

/** The numbers of the next events, and the cursor after them. */
async function read(client: Client, options: EventFeedOptions, stopAfter = Infinity) {
  const feed = client.events(options)
  const numbers: number[] = []
  for await (const { id } of feed) {
    numbers.push(Number(id.slice('evt_'.length)))
    if (numbers.length === stopAfter) break
  }
  return { numbers, cursor: feed.cursor }
}

test('all events are read, page by page, in the mode of the client and with its token', async () => {
  const { fetch, requests } = createService(7)
  const { numbers, cursor } = await read(createClient({ fetch }), { pageSize: 3 })
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7])
  assert.equal(cursor, 'c7~0~test~tz4a98xxat96iws9zmbrgj3a')
  assert.deepEqual(
    requests.map(({ body }) => body.after),
    [undefined, 'c3', 'c6'],
  )
  assert.deepEqual(requests[0], {
    url: 'https://pay.example.me/sdk/events/list',
    token: 'Bearer pat_1',
    body: { projectId: 'tz4a98xxat96iws9zmbrgj3a', mode: 'test', limit: 3 },
  })
})

test('a program can stop after any event and continue with the next event, with any page size', async () => {
  const { fetch } = createService(7)
  const client = createClient({ fetch })
  for (let stop = 1; stop <= 7; stop += 1) {
    const firstRead = await read(client, { pageSize: 3 }, stop)
    assert.equal(firstRead.numbers.length, stop)
    for (const pageSize of [1, 2, 3, 100]) {
      const rest = await read(client, { after: firstRead.cursor, pageSize })
      assert.deepEqual([...firstRead.numbers, ...rest.numbers], [1, 2, 3, 4, 5, 6, 7], `${stop} ${pageSize}`)
    }
  }
})

test('a cursor is refused in the other mode and in another project', async () => {
  const { fetch, requests } = createService(7)
  for (const stop of [2, Infinity]) {
    const { cursor } = await read(createClient({ fetch }), {}, stop)
    requests.length = 0
    for (const other of [{ secret: LIVE_SECRET }, { projectId: 'bz4a98xxat96iws9zmbrgj3a' }]) {
      assert.throws(() => createClient({ fetch, ...other }).events({ after: cursor }), {
        name: 'TypeError',
        message:
          'The cursor belongs to another project or the other mode. Store a separate cursor for each project and mode.',
      })
    }
    assert.deepEqual(requests, [])
  }
})

test('a cursor without mode and project, from the service or an earlier version of the SDK, is accepted', async () => {
  const { fetch } = createService(7)
  for (const after of ['c5', '~5', 'c2~3']) {
    assert.deepEqual((await read(createClient({ fetch }), { after })).numbers, [6, 7], after)
  }
})

test('the cursor is null before the first read, and a second read continues after the first', async () => {
  const { fetch, state } = createService(2)
  const feed = createClient({ fetch }).events()
  assert.equal(feed.cursor, null)
  const ids: string[] = []
  for await (const { id } of feed) ids.push(id)
  state.total = 3
  for await (const { id } of feed) ids.push(id)
  assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3'])
})

test('a feed with `follow` waits for further events until its signal is aborted', async () => {
  const { fetch, state, requests } = createService(1)
  const controller = new AbortController()
  const feed = createClient({ fetch }).events({ follow: true, pollMs: 1, signal: controller.signal })
  const ids: string[] = []
  const end = new Error('enough')
  await assert.rejects(
    async () => {
      for await (const { id } of feed) {
        ids.push(id)
        if (ids.length === 3) controller.abort(end)
        else setTimeout(() => (state.total += 1), 5)
      }
    },
    (error) => error === end,
  )
  assert.deepEqual(ids, ['evt_1', 'evt_2', 'evt_3'])
  assert.ok(requests.length >= 3)
  assert.equal(feed.cursor, 'c3~0~test~tz4a98xxat96iws9zmbrgj3a')
})

test('a cursor from before a restore of the service causes an error that names the cursor to continue from', async () => {
  const fetch = async () =>
    Response.json({ code: 'cursor_expired', detail: 'restored', next: 'c5' }, { status: 410 })
  const error = await read(createClient({ fetch }), { after: 'c9' }).catch((reason: unknown) => reason)
  assert.ok(error instanceof ApiError)
  assert.deepEqual([error.code, error.status, error.next], ['cursor_expired', 410, 'c5'])
})

test('a response that is not a page of events is an error', async () => {
  for (const body of [
    {},
    { items: [], next: 'c1' },
    { items: [], next: 1, hasMore: false },
    { items: 'x', next: 'c1', hasMore: false },
    ...[{}, { id: 'evt_1' }, { type: 'payment.result' }, null, 'evt_1'].map((item) => ({
      items: [item],
      next: 'c1',
      hasMore: false,
    })),
    'a page',
  ]) {
    const fetch = async () => Response.json(body)
    await assert.rejects(read(createClient({ fetch }), {}), { code: 'unexpected_answer' })
  }
})

test('a call that needs an API token sends nothing without one, and the error says what is missing', async () => {
  const fetch = () => assert.fail('a request was sent')
  const client = createClient({ fetch, token: undefined })
  await assert.rejects(read(client, {}), /API token/)
  await assert.rejects(client.transaction({ customId: 'order-7' }), /API token/)
  await assert.rejects(client.refund({ transactionId: 't', idempotencyKey: 'k' }), /API token/)
})

test('the JSON of a client does not contain its token', () => {
  assert.doesNotMatch(JSON.stringify(createClient({ token: 'pat_secret' })), /pat_secret/)
})

test('a payment is looked up by its id, or by its customId in the mode of the client', async () => {
  const bodies: unknown[] = []
  const details = { transaction: { id: 't-1' }, refunds: [], disputes: [] }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    bodies.push(await new Request(input, init).json())
    return Response.json(details)
  }
  const client = createClient({ fetch })
  const { projectId } = client
  assert.deepEqual(await client.transaction({ customId: 'order-7' }), details)
  await client.transaction({ transactionId: 't-1' })
  assert.deepEqual(bodies, [
    { projectId, customId: 'order-7', mode: 'test' },
    { projectId, transactionId: 't-1' },
  ])
})

test('the signal of the feed ends a request in progress with the reason of the signal', async () => {
  const controller = new AbortController()
  const end = new Error('enough')
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const { signal } = init!
    queueMicrotask(() => controller.abort(end))
    return new Promise((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason))
    })
  }
  const client = createClient({ fetch, timeoutMs: 5_000 })
  await assert.rejects(read(client, { signal: controller.signal }), (error) => error === end)
})

test('a request that has succeeded or failed leaves no listener on the signal of the feed', async () => {
  const { signal } = new AbortController()
  const listeners: number[] = []
  const { fetch } = createService(0)
  const countingFetch: typeof globalThis.fetch = (input, init) => {
    listeners.push(getEventListeners(signal, 'abort').length)
    return fetch(input, init)
  }
  await read(createClient({ fetch: countingFetch }), { signal })
  const failingFetch = async () => Promise.reject(new TypeError('fetch failed'))
  await assert.rejects(read(createClient({ fetch: failingFetch }), { signal }), { code: 'unreachable' })
  assert.deepEqual([listeners, getEventListeners(signal, 'abort').length], [[1], 0])
})

test('by default a page has 100 events, and a feed with `follow` waits five seconds between requests', async (t) => {
  const { fetch, requests } = createService(0)
  const controller = new AbortController()
  const end = new Error('enough')
  const waits: unknown[] = []
  const { setTimeout: realSetTimeout } = globalThis
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
    waits.push(ms)
    if (waits.length === 2) controller.abort(end)
    return realSetTimeout(run, 0)
  })
  await assert.rejects(
    read(createClient({ fetch }), { follow: true, signal: controller.signal }),
    (error) => error === end,
  )
  assert.deepEqual(waits, [5_000, 5_000])
  assert.deepEqual(
    requests.map(({ body }) => body.limit),
    [100, 100],
  )
})

test('if the signal is aborted just before the feed would wait, the feed ends immediately', async (t) => {
  const controller = new AbortController()
  const end = new Error('enough')
  const fetch = async () => {
    controller.abort(end)
    return Response.json({ items: [], next: 'c0', hasMore: false })
  }
  const { setTimeout: realSetTimeout } = globalThis
  const wait = t.mock.method(globalThis, 'setTimeout', (run: () => void) => realSetTimeout(run, 0))
  const feed = read(createClient({ fetch }), { follow: true, signal: controller.signal })
  await assert.rejects(feed, (error) => error === end)
  assert.equal(wait.mock.callCount(), 0)
})

test('a page of five hundred long events and a payment with a thousand refunds are accepted', async () => {
  const createItems = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => ({ id: `x_${n}`, type: 'payment.result', text }))
  const items = createItems(500, 'x'.repeat(9_000))
  const fetchPage = async () => Response.json({ items, next: 'c500', hasMore: false })
  assert.equal((await read(createClient({ fetch: fetchPage }), {})).numbers.length, 500)
  const details = { transaction: { id: 't-1' }, refunds: createItems(1_000, 'x'.repeat(1_000)), disputes: [] }
  const fetchPayment = async () => Response.json(details)
  const found = await createClient({ fetch: fetchPayment }).transaction({ transactionId: 't-1' })
  assert.equal(found.refunds.length, 1_000)
})
