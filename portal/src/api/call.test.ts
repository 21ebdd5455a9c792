// Requests of the portal, their dialogs and their errors.
// Why this is long: one test for each way in which a request can end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Problem } from '@pazar/contract'

const fakeDocument = { cookie: '' }
// The imported modules read these objects.
Object.defineProperty(globalThis, 'location', {
  value: new URL('https://pay.example.me/cnr/projects?a=1#b'),
  configurable: true,
})
Object.defineProperty(globalThis, 'document', { value: fakeDocument, configurable: true })
const { call, callForBlob } = await import('./call.ts')
const { ApiError, DismissedError, toErrorText, toFieldErrors, toWaitMs } = await import('./api-error.ts')
const { gateStore, passGate, settleGate } = await import('./gates.ts')
const { listTransactions } = await import('./transactions.ts')
const { findOrders } = await import('../app/find-orders.ts')
const { QueryClient } = await import('@tanstack/react-query')
const { loadWords, toUrlIn, words } = await import('../ui/language.ts')
await loadWords()

interface SentRequest {
  path: string
  init: RequestInit
}

/** Replaces fetch, and returns the requests that were sent. */
function respondWith(t: TestContext, ...responses: (Response | Promise<Response>)[]): SentRequest[] {
  const sent: SentRequest[] = []
  t.mock.method(globalThis, 'fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, init })
    return responses[sent.length - 1] ?? assert.fail('an unexpected request')
  })
  return sent
}

function toRefusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  facts: Partial<Problem> = {},
): Response {
  const problem = { type: 'u', title: 'T', status, detail: 'D', code, requestId: 'r', ...facts }
  return Response.json(problem, {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

/** The sign-in dialog opens only after a request for data was refused twice. */
const refuseTwice = () => [toRefusal(401, 'unauthenticated'), toRefusal(401, 'unauthenticated')]

/** From now on, completes or dismisses every dialog. The returned list gets each dialog that opens. */
function settleAll(t: TestContext, passed: boolean): string[] {
  const openedGates: string[] = []
  const stop = gateStore.subscribe(() => {
    const kind = gateStore.current()
    if (kind === null) return
    openedGates.push(kind)
    queueMicrotask(() => settleGate(passed))
  })
  t.after(() => void stop())
  return openedGates
}

test('a request has the cookies of this origin, skips the cache and stores the language', async (t) => {
  const sent = respondWith(t, Response.json({ a: 1 }), Response.json({}), new Response('x'))
  assert.deepEqual(await call('/read'), { a: 1 })
  await call('/write', { b: 2 })
  assert.equal(await (await callForBlob('/draw', {})).text(), 'x')
  for (const { init } of sent) assert.deepEqual([init.credentials, init.cache], ['same-origin', 'no-store'])
  assert.deepEqual(
    sent.map(({ path, init }) => [path, init.method, init.body]),
    [
      ['/read', 'GET', undefined],
      ['/write', 'POST', '{"b":2}'],
      ['/draw', 'POST', '{}'],
    ],
  )
  assert.equal(fakeDocument.cookie, 'lang=cnr; Path=/; SameSite=Lax; Max-Age=31536000; Secure')
})

test('a request is repeated after each dialog, at most three times', async (t) => {
  const openedGates = settleAll(t, true)
  const sent = respondWith(
    t,
    toRefusal(401, 'unauthenticated'),
    toRefusal(403, 'step_up_required'),
    Response.json({ done: true }),
    ...Array.from({ length: 4 }, () => toRefusal(403, 'step_up_required')),
  )
  assert.deepEqual(await call('/archive', { id: 1 }), { done: true })
  assert.deepEqual(openedGates, ['sign-in', 'step-up'])
  assert.deepEqual(new Set(sent.map(({ init }) => init.body)), new Set(['{"id":1}']))
  await assert.rejects(call('/archive', {}), { code: 'step_up_required' })
  assert.equal(sent.length, 7)
})

test('a session lost during the step-up leads to a sign-in and another step-up', async (t) => {
  const openedGates = settleAll(t, true)
  const codes = ['step_up_required', 'unauthenticated', 'step_up_required']
  respondWith(t, ...codes.map((code) => toRefusal(403, code)), Response.json({ done: true }))
  assert.deepEqual(await call('/archive', { id: 1 }), { done: true })
  assert.deepEqual(openedGates, ['step-up', 'sign-in', 'step-up'])
})

test('data that is refused once as unauthenticated is requested again without a dialog', async (t) => {
  const opened = settleAll(t, true)
  respondWith(t, toRefusal(401, 'unauthenticated'), Response.json({ n: 1 }))
  assert.deepEqual(await call('/poll'), { n: 1 })
  assert.deepEqual(opened, [])
})

test('an action reopens a dismissed dialog, but a late refusal of a request for data does not', async (t) => {
  const opened = settleAll(t, false)
  const early = Promise.withResolvers<Response>()
  const late = Promise.withResolvers<Response>()
  respondWith(t, late.promise, early.promise, ...refuseTwice(), ...refuseTwice())
  const loadings = [call('/late'), call('/early')]
  early.resolve(toRefusal(401, 'unauthenticated'))
  await assert.rejects(loadings[1]!, DismissedError)
  late.resolve(toRefusal(401, 'unauthenticated'))
  await assert.rejects(loadings[0]!, DismissedError)
  assert.deepEqual(opened, ['sign-in'])
  await assert.rejects(call('/archive', {}), DismissedError)
  assert.deepEqual(opened, ['sign-in', 'sign-in'])
})

test('a request for data is repeated without a second dialog if the sign-in was completed meanwhile', async (t) => {
  const opened = settleAll(t, true)
  const late = Promise.withResolvers<Response>()
  respondWith(t, late.promise, ...refuseTwice(), Response.json({ n: 1 }), Response.json({ n: 2 }))
  const lateCall = call('/late')
  assert.deepEqual(await call('/early'), { n: 1 })
  late.resolve(toRefusal(401, 'unauthenticated'))
  assert.deepEqual(await lateCall, { n: 2 })
  assert.deepEqual(opened, ['sign-in'])
})

test('a refusal with recovery_wait opens no dialog, and a refusal with recovery_only after a step-up opens no second dialog', async (t) => {
  const openedGates = settleAll(t, true)
  const refuse = (code: string) => {
    const errors = [{ path: 'stepUp', code, message: 'M' }]
    return toRefusal(403, 'step_up_required', {}, { errors })
  }
  const stepUpRequired = toRefusal(403, 'step_up_required')
  respondWith(
    t,
    ...[refuse('recovery_wait')],
    ...[stepUpRequired, refuse('recovery_only')],
    // Before a step-up, recovery_only opens the dialog, because the user can choose another factor.
    ...[refuse('recovery_only'), Response.json({ done: true })],
  )
  await assert.rejects(call('/refund', {}), { code: 'step_up_required' })
  assert.deepEqual(openedGates, [])
  await assert.rejects(call('/password', {}), (error) => toErrorText(error).detail === 'M')
  assert.deepEqual(openedGates, ['step-up'])
  assert.deepEqual(await call('/password', {}), { done: true })
  assert.deepEqual(openedGates, ['step-up', 'step-up'])
})

test('a request fails when its dialog is dismissed, and a request of a page for visitors opens no dialog', async (t) => {
  const openedGates = settleAll(t, false)
  const sent = respondWith(t, ...refuseTwice(), toRefusal(401, 'unauthenticated'))
  await assert.rejects(call('/read'), DismissedError)
  await assert.rejects(call('/read', undefined, { asksForSignIn: false }), { code: 'unauthenticated' })
  assert.deepEqual([openedGates, sent.length], [['sign-in'], 3])
})

test('one dialog is open at a time, and requests that need the same dialog share it', async () => {
  const signIns = [passGate('sign-in'), passGate('sign-in')]
  const stepUp = passGate('step-up')
  assert.equal(gateStore.current(), 'sign-in')
  settleGate(true)
  assert.deepEqual(await Promise.all(signIns), [true, true])
  await Promise.resolve()
  assert.equal(gateStore.current(), 'step-up')
  settleGate(false)
  assert.equal(await stepUp, false)
  assert.equal(gateStore.current(), null)
})

test('a request that needs the step-up does not take the result of a second sign-in for its own', async () => {
  const signIn = passGate('sign-in')
  const stepUp = passGate('step-up')
  settleGate(true)
  // The session is lost again before the waiting request continues.
  const secondSignIn = passGate('sign-in')
  assert.equal(await signIn, true)
  settleGate(true)
  assert.equal(await secondSignIn, true)
  assert.equal(gateStore.current(), 'step-up')
  settleGate(false)
  assert.equal(await stepUp, false)
})

test('a missing response, the page of a proxy and an error of the service have different texts', async (t) => {
  const { errors, frame, waits } = words()
  const readError = async () =>
    call('/read', undefined, { asksForSignIn: false }).catch((error: unknown) => error)
  respondWith(
    t,
    new Response('<h1>Bad gateway', { status: 502, headers: { 'content-type': 'text/html' } }),
    toRefusal(404, 'not_found'),
    toRefusal(429, 'rate_limited', { 'retry-after': '30' }),
  )
  assert.deepEqual(toErrorText(await readError()), errors.unavailable)
  assert.deepEqual(toErrorText(await readError()), errors.not_found)
  const limited = await readError()
  const waitMs = toWaitMs(limited)
  assert.ok(waitMs > 1_000 && waitMs <= 30_000, String(waitMs))
  assert.equal(toErrorText(limited).title, errors.rate_limited.title)
  assert.match(toErrorText(limited).detail, /\d s/)
  assert.notEqual(toErrorText(limited).detail, waits.over)
  assert.deepEqual(toErrorText(new ApiError(null)), frame.offline)
  assert.deepEqual(toErrorText(new DismissedError()), errors.unauthenticated)
  assert.deepEqual(toErrorText(new TypeError('x')), errors.internal_error)
  assert.equal(toWaitMs(new ApiError(null, -5)), 0)
})

test('a lost connection is an ApiError without a response, and an abort is not', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => {
    throw new TypeError('fetch failed')
  })
  await assert.rejects(call('/read'), (error) => error instanceof ApiError && !error.hasResponse)
  await assert.rejects(call('/read', undefined, { signal: AbortSignal.abort() }), TypeError)
})

test('if an action gets no complete response of the service, its error says that the outcome is unknown', async (t) => {
  const { errors, frame } = words()
  const toCut = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) }), {
      headers: { 'content-type': 'application/json' },
    })
  respondWith(t, toCut(), toCut(), new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const readError = (body?: object) => call('/x', body).catch((error: unknown) => error)
  assert.deepEqual(toErrorText(await readError()), frame.offline)
  assert.deepEqual(toErrorText(await readError({})), { ...frame.offline, detail: frame.unknownOutcome })
  assert.deepEqual(toErrorText(await readError({})), { ...errors.unavailable, detail: frame.unknownOutcome })
})

test('each refused field has its message', () => {
  const problem = {
    type: 'u',
    title: 'T',
    status: 400,
    detail: 'D',
    code: 'invalid_request',
    requestId: 'r',
  } as const
  const errors = [{ path: 'name', code: 'required', message: 'M' }]
  assert.deepEqual(toFieldErrors(new ApiError({ ...problem, errors })), { name: 'M' })
  assert.deepEqual(toFieldErrors(new DismissedError()), {})
})

test('a list is read from the older URL only after a 404', async (t) => {
  const list = { items: [], page: 1, limit: 1, total: 0, totalExact: true, hasMore: false }
  const sent = respondWith(t, toRefusal(404, 'not_found'), Response.json(list), toRefusal(503, 'unavailable'))
  const filter = { projectId: 'ab', mode: 'live', limit: 1 } as const
  assert.deepEqual(await listTransactions(filter), list)
  await assert.rejects(listTransactions(filter), { code: 'unavailable' })
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/sdk/transactions/list', '/transactions/list', '/sdk/transactions/list'],
  )
})

test('the search for orders also reads the older URL after a 404', async (t) => {
  const list = { items: [], page: 1, limit: 5, total: 0, totalExact: true, hasMore: false }
  const unknown = () => toRefusal(404, 'not_found')
  const sent = respondWith(t, unknown(), unknown(), Response.json(list), Response.json(list))
  assert.deepEqual(await new QueryClient().fetchQuery(findOrders('ab', null)), [])
  assert.equal(sent.filter(({ path }) => path === '/transactions/list').length, 2)
})

test('the URL in the other language keeps page, query and hash', () => {
  assert.equal(toUrlIn('en'), '/en/projects?a=1#b')
})
