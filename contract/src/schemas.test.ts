import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import * as api from './index.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

/** The code of the first error. Null: the value is accepted. */
function findCode(schema: z.ZodType, value: unknown): unknown {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue?.code === 'custom' ? issue.params?.['code'] : (issue?.code ?? null)
}

function assertEdges(schema: z.ZodType, accepted: readonly unknown[], refused: readonly unknown[]): void {
  for (const value of accepted)
    assert.equal(accepts(schema, value), true, `should be accepted: ${JSON.stringify(value)}`)
  for (const value of refused)
    assert.equal(accepts(schema, value), false, `should be refused: ${JSON.stringify(value)}`)
}

test('a new password has 12 to 128 characters, and a password at sign-in has 1 to 128', () => {
  assertEdges(
    api.newPassword,
    ['x'.repeat(12), '𝕏'.repeat(128)],
    ['x'.repeat(11), 'x'.repeat(129), '𝕏'.repeat(6)],
  )
  assert.equal(findCode(api.newPassword, 'short'), 'too_short')
  assert.equal(findCode(api.newPassword, 'x'.repeat(129)), 'too_long')
  const toSignInBody = (password: string) => ({ email: 'a', password })
  assertEdges(
    api.signInBody,
    [toSignInBody('x'), toSignInBody('𝕏'.repeat(128))],
    [toSignInBody(''), toSignInBody('x'.repeat(129)), { ...toSignInBody('x'), remember: true }],
  )
  assert.equal(api.passwordBody.parse({ password: 'x'.repeat(12) }).revokeTokens, false)
})

test('a token has a name, a scope and a lifetime of 1 to 365 days', () => {
  const token = { name: 'CI', scope: 'read', expiresInDays: 1 }
  assertEdges(
    api.newTokenBody,
    [token, { ...token, scope: 'write', expiresInDays: 365 }, { ...token, name: 'x'.repeat(80) }],
    [
      ...[0, 366, 1.5, '30', null].map((expiresInDays) => ({ ...token, expiresInDays })),
      ...['admin', '', undefined].map((scope) => ({ ...token, scope })),
      { ...token, name: 'x'.repeat(81) },
      { ...token, accountId: 'x' },
    ],
  )
})

test('a new project accepts unsigned links by default, and an empty test URL becomes null', () => {
  const addBody = { name: 'A', resultUrl: 'r', apiUrl: 'a' }
  assert.equal(api.projectAddBody.parse(addBody).requireSignedLinks, false)
  for (const schema of [api.projectAddBody, api.projectUpdateBody]) {
    const updateBody = { ...addBody, projectId: 'ab' }
    const body = schema === api.projectAddBody ? addBody : updateBody
    const readTestUrl = (more: object) => schema.parse({ ...body, ...more }).testApiUrl
    assert.deepEqual(
      [
        readTestUrl({}),
        readTestUrl({ testApiUrl: null }),
        readTestUrl({ testApiUrl: '' }),
        readTestUrl({ testApiUrl: 't' }),
      ],
      [undefined, null, null, 't'],
    )
  }
  assert.equal(api.projectUpdateBody.parse({ projectId: 'ab' }).requireSignedLinks, undefined)
  assertEdges(
    api.projectAddBody,
    [],
    [
      { ...addBody, ownerId: 'x' },
      { ...addBody, requireSignedLinks: 'yes' },
    ],
  )
})

test('by default a link is live, and a QR code shows a signed live link', () => {
  assert.equal(api.newPayLinkBody.parse({ amount: '1' }).mode, 'live')
  const { mode, signed, format, size } = api.qrBody.parse({ project: 'ab', amount: '1' })
  assert.deepEqual([mode, signed, format, size], ['live', true, 'png', 1024])
  const toQrBody = (more: object) => ({ project: 'ab', amount: '1', ...more })
  assertEdges(
    api.qrBody,
    [
      toQrBody({ size: 128 }),
      toQrBody({ size: 2048 }),
      toQrBody({ projectId: 'ab' }),
      { projectId: 'ab', amount: '1' },
    ],
    [toQrBody({ size: 127 }), toQrBody({ size: 2049 }), toQrBody({ projectId: 'cd' }), { amount: '1' }],
  )
  assertEdges(
    api.newPayLinkBody,
    [
      { amount: '1', exp: 1 },
      { amount: '1', exp: 999_999_999_999 },
    ],
    [
      { amount: '1', exp: 0 },
      { amount: '1', exp: 1_000_000_000_000 },
      { amount: '1', exp: '9' },
    ],
  )
})

test('a list of payments returns page 1 with 20 entries by default, and at most 100 entries', () => {
  const { page, limit, projectId } = api.transactionListBody.parse({})
  assert.deepEqual([page, limit, projectId], [1, 20, undefined])
  assertEdges(
    api.transactionListBody,
    [{ limit: 100 }, { page: 10_000 }, { q: 'x'.repeat(128) }],
    [
      { limit: 0 },
      { limit: 101 },
      { page: 0 },
      { page: 10_001 },
      { q: '' },
      { q: 'x'.repeat(129) },
      { sort: 'a' },
    ],
  )
})

test('stats, failures, pay links and the status check of an owner use live mode by default', () => {
  for (const schema of [api.statsQuery, api.failuresQuery]) assert.equal(schema.parse({}).mode, 'live')
  assert.equal(api.ownerStatusBody.parse({ customId: 'a' }).mode, 'live')
  assert.equal(api.payQuery.parse({ amount: '1', project: 'ab', data: '' }).mode, 'live')
})

test('the status check accepts any project id', () => {
  const check = { projectId: "' or 1=1", customId: 'a', hash: 'h' }
  assertEdges(
    api.statusCheckBody,
    [check, { ...check, amount: 5 }],
    [
      { ...check, amount: 0 },
      { ...check, customId: '' },
      { ...check, mode: 'live' },
    ],
  )
})

test('the exam accepts at most as many responses as it has requests, and only valid status codes', () => {
  const answer = { name: 'good', statusCode: 200, durationMs: 0 }
  const toExamBody = (more: object) => ({ answers: [{ ...answer, ...more }] })
  assertEdges(
    api.examBody,
    [
      {},
      toExamBody({}),
      toExamBody({ statusCode: null, durationMs: 600_000, error: 'timeout' }),
      toExamBody({ statusCode: 599, body: 'x'.repeat(1024) }),
      { answers: Array.from(api.EXAM_REQUESTS, () => answer) },
      { order: 'exam-0123abcd-good' },
    ],
    [
      { answers: [] },
      { answers: [answer, ...Array.from(api.EXAM_REQUESTS, () => answer)] },
      toExamBody({ statusCode: 99 }),
      toExamBody({ statusCode: 600 }),
      toExamBody({ durationMs: -1 }),
      toExamBody({ durationMs: 600_001 }),
      toExamBody({ body: 'x'.repeat(1025) }),
      toExamBody({ name: 'in_time' }),
      { order: 'order-7' },
      { order: 'exam-0123abcd-repeated' },
      { deliver: 'everywhere' },
    ],
  )
})

test('the signature debugger takes at most 100 headers, and at most ten values of 4 KiB per header', () => {
  const toBody = (headers: object) => ({ headers, body: '', mode: 'test' })
  const createHeaders = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`h${n}`, 'x']))
  assertEdges(
    api.verifySignatureBody,
    [toBody(createHeaders(100)), toBody({ a: 'x'.repeat(4096) }), toBody({ a: Array(10).fill('x') })],
    [
      toBody(createHeaders(101)),
      toBody({ a: 'x'.repeat(4097) }),
      toBody({ a: Array(11).fill('x') }),
      toBody({ a: 1 }),
    ],
  )
  assertEdges(api.verifySignatureBody, [], [{ headers: {}, body: '' }])
})

test('a question to the assistant has 1 to 4000 characters', () => {
  assertEdges(
    api.promptBody,
    [{ prompt: 'x' }, { prompt: '𝕏'.repeat(4000) }],
    [{ prompt: ' \n' }, { prompt: 'x'.repeat(4001) }, { prompt: 'x', locale: 'de' }],
  )
})

test('a test callback needs a result, and goes to the URL or to listeners', () => {
  const testCallback = { status: 'success', amount: '1' }
  assertEdges(
    api.testCallbackBody,
    [testCallback, { ...testCallback, status: 'fail', to: 'url' }, { ...testCallback, to: 'listeners' }],
    [
      { amount: '1' },
      { ...testCallback, status: 'paid' },
      { ...testCallback, to: 'apiUrl' },
      { ...testCallback, mode: 'live' },
    ],
  )
})

test('`watch` accepts only the text `true`, and a request to resend failed callbacks needs a start time', () => {
  assertEdges(api.eventsQuery, [{}, { watch: 'true' }], [{ watch: 'false' }, { watch: true }])
  assertEdges(api.resendFailedBody, [{ since: '2026-07-26T10:00:00Z' }], [{}, { since: 'yesterday' }])
})
