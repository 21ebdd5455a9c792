import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExamReport, VerifySignatureAnswer } from '@pazar/contract'
import { signTestCallback } from '@pazar/sdk'
import { copyClient, rows } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { startDeliveryOwner } from '../../test/delivery-owner.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import type { AccountId } from '../accounts/account.ts'
import { readSecret } from '../secrets/secrets.ts'
import { runExam } from './run-exam.ts'

const { merchant: shop, service, owner, stranger, projectId, base } = await startDeliveryOwner()
const { app, deps } = service

const REQUEST = { headers: {}, body: '{}', mode: 'test' }

test('the exam and the debugger need a session, and another account gets the same 404 as for a missing project', async () => {
  for (const [path, body] of [
    ['exam', { confirm: true }],
    ['exam', { deliver: 'caller' }],
    ['exam', { answers: [{ name: 'good', statusCode: 200, durationMs: 1 }] }],
    ['verify-signature', REQUEST],
  ] as const) {
    const url = `${base}/${path}`
    assert.equal((await new Client(app).post(url, body)).code, 'unauthenticated', path)
    assert.equal((await stranger.post(url, body)).code, 'not_found', path)
    const missing = url.replace(projectId, 'a'.repeat(24))
    assert.equal((await owner.post(missing, body)).code, 'not_found', path)
  }
  assert.equal(shop.received.length, 0)
})

test('without a test URL and without confirmation, the exam sends nothing', async () => {
  for (const body of [undefined, {}, { confirm: false }, { deliver: 'service' }]) {
    const response = await owner.send('POST', `${base}/exam?lang=en`, body)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], response.text)
    const [error] = response.json<{ errors: { path: string; code: string; message: string }[] }>().errors
    assert.deepEqual([error!.path, error!.code], ['confirm', 'confirm_live_url'])
    assert.match(error!.message, /live callback URL/)
  }
  assert.match((await owner.post(`${base}/exam?lang=cnr`, {})).text, /stvarni URL za obavještenja/)
  assert.equal(shop.received.length, 0)
})

test('if the project has a test URL, the exam is sent there without confirmation, and the report names the URL', async () => {
  const url = shop.url.replace('/callback', '/test')
  const { id } = await owner.addProject({ apiUrl: 'https://shop.example.me/callback', testApiUrl: url })
  const response = await owner.send('POST', `/portal/api/projects/${id}/exam`)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(response.json<ExamReport>().target, { url, live: false })
  // Only the requests about payments were sent, because this project receives no other events.
  assert.equal(shop.received.length, 11)
})

for (const body of [
  { confirm: 'yes' },
  { deliver: 'nobody' },
  { url: 'https://evil.example.com' },
  { answers: [] },
  { answers: [{ name: 'in_time', statusCode: 200, durationMs: 1 }] },
  { answers: [{ name: 'good', statusCode: 20, durationMs: 1 }] },
  { answers: [{ name: 'good', statusCode: 200 }] },
  { answers: [{ name: 'good', statusCode: 200, durationMs: -1 }] },
  { answers: [{ name: 'good', statusCode: 200, durationMs: 1, body: 'x'.repeat(1025) }] },
  { answers: Array.from({ length: 18 }, () => ({ name: 'good', statusCode: 200, durationMs: 1 })) },
]) {
  test(`the exam refuses ${JSON.stringify(body).slice(0, 70)}`, async () => {
    const response = await owner.post(`${base}/exam`, body)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], response.text)
    assert.equal(shop.received.length, 0)
  })
}

test('a test URL that equals the live URL needs confirmation too, even if the two URLs are written differently', async () => {
  const { hostname, port } = new URL(shop.url)
  for (const [apiUrl, testApiUrl] of [
    [shop.url, shop.url],
    [shop.url, `HTTP://${hostname}:${port}/./callback`],
  ]) {
    const { id } = await owner.addProject({ apiUrl, testApiUrl })
    const response = await owner.send('POST', `/portal/api/projects/${id}/exam`)
    assert.match(response.text, /confirm_live_url/)
    assert.equal(shop.received.length, 0)
    const confirmed = await owner.post(`/portal/api/projects/${id}/exam`, { confirm: true })
    assert.equal(confirmed.json<ExamReport>().target?.live, true)
    shop.received = []
    await owner.post(`/portal/api/projects/${id}/archive`)
  }
})

// Python's print() and some JSON parsers fail on half of a surrogate pair.
test('a report shows no half of a surrogate pair where it cuts a response', async () => {
  const body = `x${'😀'.repeat(200)}`
  const answers = [{ name: 'good', statusCode: 500, durationMs: 1, body }]
  const { scenarios } = (await owner.post(`${base}/exam`, { answers })).json<ExamReport>()
  assert.equal(scenarios[0]?.answer, `x${'😀'.repeat(149)}\uFFFD`)
})

test('if the caller sends the responses, the report names the order that the caller gave, and the call does not count towards the rate limit', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_EXAM: '1' })
  const limitedOwner = copyClient(owner, limited.app)
  assert.equal((await limitedOwner.post(`${base}/exam`, { deliver: 'caller' })).status, 200)
  const okResponse = { statusCode: 200, durationMs: 1 }
  const answers = ['good', 'late_fail'].map((name) => ({ name, ...okResponse }))
  const judge = async (more: object) => {
    const { scenarios } = (
      await limitedOwner.post(`${base}/exam?lang=en`, { answers, ...more })
    ).json<ExamReport>()
    return scenarios.find(({ name }) => name === 'late_fail')!.got
  }
  assert.match(
    await judge({ order: 'exam-0123abcd-good' }),
    /whether the order exam-0123abcd-good is still paid/,
  )
  assert.match(await judge({}), /whether the order of the first callback is still paid/)
  const evil = await limitedOwner.post(`${base}/exam`, { answers, order: 'exam-<script>' })
  assert.deepEqual([evil.status, evil.code], [400, 'invalid_request'])
  assert.equal((await limitedOwner.post(`${base}/exam`, { deliver: 'caller' })).code, 'rate_limited')
})

test('the exam reads only the test secret and adds nothing to the delivery log', async () => {
  const opened: string[] = []
  const secretBox = {
    ...deps.secretBox,
    open: (sealed: Buffer, context: string) => {
      opened.push(context)
      return deps.secretBox.open(sealed, context)
    },
  }
  const { account } = (await owner.get('/portal/api/session')).json<{ account: { id: AccountId } }>()
  const requested = { projectId, body: { confirm: true }, locale: 'en' } as const
  await runExam({ ...deps, secretBox }, account.id, requested)
  await runExam({ ...deps, secretBox }, account.id, { ...requested, body: { deliver: 'caller' } })
  assert.deepEqual(new Set(opened), new Set([`project-secret/${projectId}/test/1`]))
  assert.deepEqual(await rows(deps.db, 'select from callback_states'), [])
})

for (const [caseName, body] of [
  ['an empty object', {}],
  ['a request without a mode', { headers: {}, body: '' }],
  ['an unknown mode', { ...REQUEST, mode: 'prod' }],
  ['a parsed body', { ...REQUEST, body: {} }],
  ['headers as text', { ...REQUEST, headers: 'webhook-id: 1' }],
  ['a header that is a number', { ...REQUEST, headers: { 'webhook-timestamp': 1 } }],
  ['a hundred and one headers', { ...REQUEST, headers: Object.fromEntries(toHeaders(101)) }],
  ['a very long header', { ...REQUEST, headers: { x: 'y'.repeat(4097) } }],
  ['an unknown field', { ...REQUEST, secret: 'sk_test_x' }],
] as const) {
  test(`the debugger refuses ${caseName}`, async () => {
    const response = await owner.post(`${base}/verify-signature`, body)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], response.text)
  })
}

function toHeaders(count: number): [string, string][] {
  return Array.from({ length: count }, (_, n) => [`x-${n}`, ''])
}

test('the debugger refuses a request above the size limit with 413', async () => {
  const response = await owner.post(`${base}/verify-signature`, { ...REQUEST, body: 'x'.repeat(64 * 1024) })
  assert.deepEqual([response.status, response.code], [413, 'payload_too_large'])
})

test('nothing of a pasted request is logged, and the response has no signature', async () => {
  const secret = await readSecret(deps, deps.db, projectId, 'test')
  const signed = signTestCallback({ secret, projectId, data: 'canary-4711' })
  const { body } = signed
  const headers = { ...signed.headers, 'webhook-signature': 'v1,canary-4712', 'x-more': 'canary-4713' }
  const wrong = await owner.post(`${base}/verify-signature`, { headers, body, mode: 'test' })
  assert.equal(wrong.json<{ matches: boolean }>().matches, false)
  const rightMode = await owner.post(`${base}/verify-signature`, {
    headers: signed.headers,
    body,
    mode: 'test',
  })
  const { matches, problems, event, eventText } = rightMode.json<VerifySignatureAnswer>()
  assert.deepEqual([matches, problems, event], [true, [], 'payment.result'])
  assert.match(eventText!, /rezultat plaćanja|result of a payment/)
  const refused = await owner.post(`${base}/verify-signature`, { headers, body, mode: 'canary-4714' })
  assert.equal(refused.status, 400)
  for (const text of [...service.logs, wrong.text, rightMode.text, refused.text]) {
    assert.doesNotMatch(text, /canary-471/)
    assert.ok(!text.includes(signed.headers['webhook-signature'].slice(3)))
  }
  assert.deepEqual(await rows(deps.db, 'select from callback_states'), [])
})

for (const [path, name, body] of [
  ['exam', 'EXAM', { deliver: 'caller' }],
  ['verify-signature', 'VERIFY_SIGNATURE', REQUEST],
] as const) {
  test(`${path} has a rate limit of its own`, async () => {
    const limited = await service.replica({ RATE_LIMITS: 'on', [`RATE_LIMIT_${name}`]: '2' })
    const limitedOwner = copyClient(owner, limited.app)
    const send = () => limitedOwner.post(`${base}/${path}`, body)
    assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
    const third = await send()
    assert.deepEqual([third.status, third.code], [429, 'rate_limited'])
    assert.ok(Number(third.headers['retry-after']) > 0)
    assert.equal((await limitedOwner.get(`${base}/deliveries`)).status, 200)
  })
}

test('every role except finance may use the exam and the debugger', async () => {
  for (const [path, body] of [
    ['exam', { deliver: 'caller' }],
    ['verify-signature', REQUEST],
  ] as const) {
    const refused = await findRefusedRoles(service, projectId, (one) => one.post(`${base}/${path}`, body))
    assert.equal(refused, 'finance', path)
  }
})
