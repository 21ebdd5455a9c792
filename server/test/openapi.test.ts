import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import { buildCallback, signCallback } from '@pazar/sdk'
import { signUp } from './client.ts'
import { findMismatch, readDocument, routesOf } from './fuzz/document.ts'
import type { JsonSchema } from './fuzz/document.ts'
import { startTestService } from './harness.ts'
import { toProjectRoutes } from './route-permissions.ts'

const service = await startTestService()
const document = await readDocument(service.app)
const routes = routesOf(document)

function bodyOf(url: string, type = 'application/json'): JsonSchema {
  const found = document.paths[url]?.['post']?.requestBody?.content[type]?.schema
  assert.ok(found, `${url} takes no ${type}`)
  return found
}

test('every route lists the errors that all routes of its method can return', () => {
  for (const { method, url, operation } of routes) {
    const needed = [
      [400, 'invalid_request'],
      [500, 'internal_error'],
      ...(method === 'POST'
        ? [
            [403, 'forbidden_origin'],
            [413, 'payload_too_large'],
            [415, 'unsupported_media_type'],
          ]
        : []),
    ] as const
    for (const [status, code] of needed)
      assert.ok(operation.responses[status]?.description.split(', ').includes(String(code)), `${url} ${code}`)
  }
})

test('forbidden_role is described for the routes that some roles may not call, and forbidden_origin for the stream', () => {
  const ids = { projectId: 'ab', transactionId: 'x', callbackId: 'x', member: 'a@example.me' }
  const permissions = toProjectRoutes(ids)
  const toCodes = (url: string, method: string) =>
    document.paths[url]?.[method]?.responses['403']?.description.split(', ') ?? []
  for (const { method, url } of routes) {
    const permission = permissions[`${method} ${url.replaceAll(/\{(\w+)\}/g, ':$1')}`]?.permission ?? 'read'
    const isDescribed = toCodes(url, method.toLowerCase()).includes('forbidden_role')
    assert.equal(isDescribed, permission !== 'read', url)
  }
  assert.deepEqual(toCodes('/portal/api/projects/{id}/events', 'get'), ['forbidden_origin'])
})

test('request bodies may not have unknown fields, but responses may; 429 and 503 have Retry-After', () => {
  const closed = /"additionalProperties":false/
  assert.doesNotMatch(JSON.stringify(document.components), closed)
  for (const { method, url, operation } of routes) {
    assert.doesNotMatch(JSON.stringify(operation.responses), closed, url)
    assert.doesNotMatch(JSON.stringify(operation.responses), /Default Response/, url)
    const body = JSON.stringify(operation.requestBody ?? {})
    if (method === 'POST') assert.match(body, closed, url)
    assert.doesNotMatch(body, /\$ref/, url)
    for (const status of ['429', '503'])
      if (operation.responses[status])
        assert.match(
          JSON.stringify(operation.responses[status]),
          /"headers":\{"Retry-After"/,
          `${url} ${status}`,
        )
  }
})

test('every operation has a unique name', () => {
  const names = routes.map(({ operation }) => operation.operationId)
  assert.equal(new Set(names).size, routes.length)
  for (const name of names) assert.match(String(name), /^(?:get|post)[A-Z][A-Za-z]+$/)
  assert.equal(document.paths['/sdk/project/add']?.['post']?.operationId, 'postProjectAdd')
})

test('webhooks have their own names and tag', () => {
  const webhooks = Object.values(document.webhooks ?? {}).flatMap((methods) => Object.values(methods))
  assert.deepEqual(
    webhooks.map(({ operationId, tags }) => [operationId, tags]),
    ['PaymentResult', 'RefundResult', 'DisputeOpened', 'DisputeClosed'].map((name) => [
      `receive${name}`,
      ['webhooks'],
    ]),
  )
  assert.equal(
    routes.some(({ operation }) => operation.tags?.includes('webhooks')),
    false,
  )
})

test('the document states the limits of fields', () => {
  const { name, apiUrl } = bodyOf('/sdk/project/add').properties!
  assert.deepEqual([name?.minLength, name?.maxLength, apiUrl?.maxLength], [1, 80, 2048])
  const { amount, customId, data } = bodyOf('/sdk/project/qr').properties!
  assert.deepEqual([customId?.minLength, customId?.maxLength, data?.maxLength], [1, 128, 2048])
  const [text, number] = amount?.anyOf ?? []
  assert.deepEqual(
    [text?.pattern, number?.minimum, number?.maximum],
    ['^[1-9][0-9]{0,11}$', 1, 999_999_999_999],
  )
})

test('a body is marked as required exactly where a request without a body is refused', async () => {
  const owner = await signUp(service.app)
  // With this URL the exam fails quickly, because no server listens there. Without a test URL, the exam requires the
  // field `confirm`.
  const { id } = await owner.addProject({ testApiUrl: 'https://test.shop.example.com/callback' })
  const callbackId = 'msg_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f'
  for (const { method, url, operation } of routes.filter((one) => one.method === 'POST')) {
    const { status } = await owner.send(method, url.replace('{id}', id).replace('{callbackId}', callbackId))
    assert.equal(operation.requestBody?.required, status === 400, `${url}: ${status}`)
  }
})

test('POST /pay is described with the form that browsers send', () => {
  assert.deepEqual(bodyOf('/pay', 'application/x-www-form-urlencoded').properties, bodyOf('/pay').properties)
  assert.ok(document.paths['/pay']?.['post']?.responses['303'])
})

test('the pay link is described with all its parameters', () => {
  const parameters = document.paths['/pay']?.['get']?.parameters ?? []
  const required = parameters.filter((one) => one.required).map((one) => one.name)
  assert.deepEqual(required, ['amount', 'project', 'data'])
  const optional = parameters.filter((one) => !one.required).map((one) => one.name)
  assert.deepEqual(optional, ['customId', 'mode', 'exp', 'sig', 'lang'])
})

const FACTS = {
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  transactionId: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913',
  amount: '1500',
  currency: 'EUR',
  mode: 'test',
  createdAt: '2026-11-15T09:30:00.000Z',
} as const
const SECRET = `sk_test_${'0'.repeat(43)}`

test('the document describes callbacks about refunds and disputes as they are sent', () => {
  assert.deepEqual(Object.keys(document.webhooks ?? {}), [...CALLBACK_EVENTS])
  const refund = { refundStatus: 'succeeded', refundId: 're_019a8f0e6b1c7c3e9a512f60d4b8e913' } as const
  const dispute = { disputeStatus: 'open', disputeId: 'dp_019a8f0e6b1c7c3e9a512f60d4b8e913' } as const
  const optional = { customId: 'order-7', data: 'Order 7' }
  for (const facts of [
    { ...FACTS, ...refund, refundedTotal: '1500' },
    { ...FACTS, ...refund, ...optional, refundedTotal: '0', failureCode: 'declined' },
    { ...FACTS, ...dispute, event: 'dispute.opened' },
    { ...FACTS, ...dispute, ...optional, event: 'dispute.closed', respondBy: FACTS.createdAt },
  ] as const) {
    const { body } = buildCallback(facts, { secret: SECRET, id: 'msg_1', iatSec: 1_763_197_800 })
    const fields = JSON.parse(body) as { event: string; amount: string }
    const schema =
      document.webhooks?.[fields.event]?.['post']?.requestBody?.content['application/json']?.schema
    assert.ok(schema, fields.event)
    assert.equal(findMismatch(document, schema, fields), null)
    assert.notEqual(findMismatch(document, schema, { ...fields, amount: 1500 }), null)
    assert.notEqual(findMismatch(document, schema, { ...fields, event: 'payment.result' }), null)
  }
})

test('the document describes the callback of a payment as it is sent, with and without the optional fields', () => {
  const sent = document.webhooks?.['payment.result']?.['post']
  const schema = sent?.requestBody?.content['application/json']?.schema
  assert.ok(sent && schema)
  const options = { secret: SECRET, id: 'msg_1', nowSec: 1_763_197_800 }
  const described = new Set(Object.keys(document.components.schemas['CallbackBody']?.properties ?? {}))
  const seen = new Set<string>()
  for (const more of [
    { status: 'success' },
    { status: 'success', customId: 'order-7', data: 'Order 7' },
    { status: 'fail', failureCode: 'declined' },
  ] as const) {
    const { body, headers } = signCallback({ ...FACTS, ...more }, options)
    const fields = JSON.parse(body) as Record<string, unknown>
    assert.equal(findMismatch(document, schema, fields), null)
    for (const name of Object.keys(fields)) seen.add(name)
    assert.deepEqual(
      sent.parameters?.map(({ name }) => name),
      Object.keys(headers),
    )
    const { hash: _omitted, ...unsigned } = fields
    assert.notEqual(findMismatch(document, schema, unsigned), null)
    assert.notEqual(findMismatch(document, schema, { ...fields, amount: 1500 }), null)
  }
  assert.deepEqual([...seen].toSorted(), [...described].toSorted())
})

test('every schema in the document is used, and every used schema is defined', () => {
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name))
  assert.deepEqual(Object.keys(document.components.schemas).toSorted(), [...used].toSorted())
})

test('findMismatch finds faults in a response', () => {
  const problem = { $ref: '#/components/schemas/Problem' }
  const good = { type: 't', title: 't', status: 404, detail: 'd', code: 'not_found', requestId: 'r' }
  assert.equal(findMismatch(document, problem, good), null)
  const { requestId: _omitted, ...short } = good
  for (const bad of [short, { ...good, status: '404' }, { ...good, code: 'x' }, { ...good, more: 1 }, null])
    assert.notEqual(findMismatch(document, problem, bad), null, JSON.stringify(bad))
})
