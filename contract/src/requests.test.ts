import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import * as api from './index.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

function assertEdges(schema: z.ZodType, accepted: readonly unknown[], refused: readonly unknown[]): void {
  for (const value of accepted)
    assert.equal(accepts(schema, value), true, `should be accepted: ${JSON.stringify(value)}`)
  for (const value of refused)
    assert.equal(accepts(schema, value), false, `should be refused: ${JSON.stringify(value)}`)
}

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'

/**
 * The three schemas of queries are only documentation: the server does not check queries with them. Callbacks may get
 * further fields later.
 */
const LOOSE_SCHEMAS = [
  'payQuery',
  'paySuccessfulQuery',
  'payStateQuery',
  'callbackBody',
  'refundCallbackBody',
  'disputeCallbackBody',
]

test('no request schema accepts an unknown field, except the listed ones', () => {
  const requests = Object.entries(api).filter(([name]) => /(?:Body|Query|Params)$/.test(name))
  const lenientSchemas = requests.filter(([name, schema]) => {
    if (LOOSE_SCHEMAS.includes(name)) return false
    const issues =
      schema instanceof z.ZodType ? (schema.safeParse({ unknownField: 1 }).error?.issues ?? []) : []
    return !issues.some((issue) => issue.code === 'unrecognized_keys')
  })
  assert.ok(requests.length > 30)
  assert.deepEqual(
    lenientSchemas.map(([name]) => name),
    [],
  )
})

test('a refund needs a payment and a key of 1 to 64 characters; a reason has at most 200 characters', () => {
  const refund = { projectId: 'ab', transactionId: ID, idempotencyKey: 'k' }
  assertEdges(
    api.refundBody,
    [
      refund,
      { ...refund, amount: '1' },
      { ...refund, amount: 999_999_999_999 },
      { ...refund, idempotencyKey: '𝕏'.repeat(64) },
      { ...refund, reason: '𝕏'.repeat(200) },
    ],
    [
      { ...refund, transactionId: 'order-7' },
      { ...refund, projectId: undefined },
      { ...refund, idempotencyKey: undefined },
      { ...refund, idempotencyKey: '' },
      { ...refund, idempotencyKey: 'x'.repeat(65) },
      { ...refund, idempotencyKey: 'a\u200Bb' },
      { ...refund, reason: 'x'.repeat(201) },
      { ...refund, reason: 'a\nb' },
      { ...refund, amount: '0' },
      { ...refund, amount: '-1' },
      { ...refund, amount: null },
    ],
  )
})

test('a refund token needs a project and a daily limit, and no other token has a limit', () => {
  const token = { name: 'CI', scope: 'refund', expiresInDays: 1, projectId: 'ab', dailyCap: '1' }
  assertEdges(
    api.newTokenBody,
    [token, { ...token, scope: 'read', dailyCap: undefined }],
    [
      { ...token, projectId: undefined },
      { ...token, dailyCap: undefined },
      { ...token, dailyCap: '0' },
      { ...token, scope: 'write' },
      { ...token, scope: 'read' },
    ],
  )
})

test('a page of events has 100 events by default and at most 500', () => {
  const { limit, mode } = api.eventListBody.parse({ projectId: 'ab' })
  assert.deepEqual([limit, mode], [100, undefined])
  const withProject = (more: object) => ({ projectId: 'ab', ...more })
  assertEdges(
    api.eventListBody,
    [
      withProject({ limit: 1 }),
      withProject({ limit: 500 }),
      withProject({ after: 'x'.repeat(256) }),
      withProject({ mode: 'test' }),
    ],
    [
      withProject({ limit: 0 }),
      withProject({ limit: 501 }),
      withProject({ after: '' }),
      withProject({ after: 'x'.repeat(257) }),
      {},
    ],
  )
})

test('a payment is named by its id or by its customId, not by both', () => {
  const withProject = (more: object) => ({ projectId: 'ab', ...more })
  assertEdges(
    api.transactionGetBody,
    [
      withProject({ transactionId: ID }),
      withProject({ customId: 'a' }),
      withProject({ customId: 'a', mode: 'test' }),
    ],
    [
      withProject({}),
      withProject({ transactionId: 'a' }),
      withProject({ transactionId: ID, customId: 'a' }),
      { customId: 'a' },
    ],
  )
})

test('a statement covers one month; by default it is JSON about live payments', () => {
  const { format, mode } = api.statementQuery.parse({ month: '2026-11' })
  assert.deepEqual([format, mode], ['json', 'live'])
  const month = '2026-11'
  assertEdges(
    api.statementQuery,
    [{ month: '2026-01' }, { month: '2999-12' }, { month, format: 'csv', mode: 'test', currency: 'EUR' }],
    [
      ...['2026-00', '2026-13', '1999-12', '2026-1', '2026-11-01', ''].map((one) => ({ month: one })),
      {},
      { month, format: 'pdf' },
      { month, currency: 'eur' },
    ],
  )
})

test('an e-mail address has at most 254 characters and a valid domain', () => {
  const toEmailOfLength = (length: number) => `${'a'.repeat(length - '@example.me'.length)}@example.me`
  assertEdges(
    api.emailBody,
    ['a@b.me', 'a+b@b.co.me', 'ana@čaj.me', toEmailOfLength(254)].map((email) => ({ email })),
    [
      'a',
      'a@b',
      '@b.me',
      'a@b..me',
      'a@-b.me',
      'a@b-.me',
      'a b@c.me',
      'a@b@c.me',
      '<a@b.me>',
      toEmailOfLength(255),
      // If the pattern were tested before the length, this address would exceed the time limit of the run.
      `a@${'.'.repeat(1_000_000)}"`,
    ].map((email) => ({ email })),
  )
  const { forgotBody, signUpBody } = api
  assert.equal(accepts(forgotBody, { email: 'a@b' }), false)
  assert.equal(accepts(signUpBody, { email: 'a@b', password: 'x'.repeat(12) }), false)
})

test('a new password has at least 12 characters, and a mailed token has 1 to 200', () => {
  assert.equal(accepts(api.signUpBody, { email: 'a@b.me', password: 'x'.repeat(11) }), false)
  assert.equal(accepts(api.resetBody, { token: 't', password: 'x'.repeat(11) }), false)
  assertEdges(
    api.tokenBody,
    [{ token: 't' }, { token: 'x'.repeat(200) }],
    [{ token: '' }, { token: 'x'.repeat(201) }],
  )
})

test('in a query, a boolean is the text “true” or “false”', () => {
  const { refunded, disputed } = api.transactionCsvQuery.parse({ refunded: 'true', disputed: 'false' })
  assert.deepEqual([refunded, disputed], [true, false])
  assertEdges(
    api.transactionCsvQuery,
    [{}],
    [{ refunded: '1' }, { disputed: true }, { refunded: '' }, { needsReview: 1 }],
  )
})

test('the exam sends only requests about the events that it is given', () => {
  const payments = api.toExamRequests(['payment.result'])
  assert.deepEqual(
    payments.filter((name) => /refund|dispute/.test(name)),
    [],
  )
  assert.equal(payments.length, 11)
  assert.deepEqual(api.toExamRequests(['refund.result']), ['refund', 'refund_first', 'forged_refund'])
  assert.deepEqual(api.toExamRequests(['dispute.opened']), ['dispute_opened', 'forged_dispute'])
  assert.deepEqual(api.toExamRequests(['dispute.closed']), ['dispute_closed'])
})

test('resending takes an optional boolean `again`', () => {
  assert.equal(api.resendBody.parse({}).again, undefined)
  assertEdges(api.resendBody, [{ again: true }, { again: false }], [{ again: 'true' }, { again: 1 }])
})

test('a page of the callback log or audit trail has 50 entries by default and at most 100', () => {
  for (const schema of [api.deliveryQuery, api.auditQuery]) {
    assert.equal(schema.parse({}).limit, 50)
    assertEdges(
      schema,
      [{ limit: '1' }, { limit: '100' }],
      [{ limit: '0' }, { limit: '101' }, { limit: '1e1' }, { limit: 5 }],
    )
  }
})

test('the token of a pay page has at most 20,000 characters', () => {
  assertEdges(
    api.payBody,
    [{ token: 'x' }, { token: 'x'.repeat(20_000) }],
    [{ token: '' }, { token: 'x'.repeat(20_001) }, {}],
  )
})
