// The reference is generated from the OpenAPI document, so these tests find gaps in that document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, LOCALES } from '@pazar/words'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import type { ApiDocument } from './openapi-document.ts'
import { findExample } from './reference-examples.ts'

const service = await startTestService()
const reader = new Client(service.app)
const document = (await reader.get('/openapi.json')).json<ApiDocument>()
const routes = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, url, operation })),
)

test('the reference shows an example, the fields, the response and all errors of every public route', async () => {
  assert.ok(routes.length >= 15)
  for (const locale of LOCALES) {
    const text = `${(await reader.get(`/${locale}/docs/reference.md`)).text}\n### `
    for (const { method, url, operation } of routes) {
      const title = `### ${method.toUpperCase()} ${url}\n`
      const from = text.indexOf(title)
      assert.ok(from >= 0, `${locale} ${title}`)
      const part = text.slice(from, text.indexOf('\n### ', from + 1))
      assert.ok(findExample(method, url), `${title} needs a command in reference-examples.ts`)
      assert.ok(part.includes('```sh\ncurl') || part.includes('curl -s'), title)
      const body = operation.requestBody?.content['application/json']?.schema.properties ?? {}
      for (const field of Object.keys(body)) assert.ok(part.includes(`| \`${field}\` |`), `${title} ${field}`)
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        for (const code of description.split(', '))
          assert.ok(part.includes(`${status} [\`${code}\`](errors.md#${code})`), `${title} ${code}`)
      }
    }
  }
})

function textsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'description' && typeof inner === 'string') found.add(inner)
    else textsIn(inner, found)
  }
  return found
}

test('a required field says so, and an optional one does not', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  assert.match(text, /\| `prompt` \| string, \*\*required\*\* \|/)
  assert.match(text, /\| `again` \| boolean \|/)
})

test('values of the path, the query and the body have separate tables', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  const from = text.indexOf('### POST /portal/api/projects/{id}/deliveries/{callbackId}/resend\n')
  const part = text.slice(from, text.indexOf('\n### ', from + 1))
  const [, path = '', body = ''] = part.split(/\*\*Request, (?:in the path|body)\*\*/)
  assert.ok(path.includes('| `id` |') && path.includes('| `callbackId` |') && !path.includes('| `again` |'))
  assert.ok(body.includes('| `again` |') && !body.includes('| `id` |'))
  assert.match(text, /\*\*Request, in the query\*\*\n\n[^*]*\| `cursor` \|/)
})

test('no table has a column of meanings in which every cell is empty', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  const tables = text.split('\n\n').filter((part) => part.startsWith('| Field | Type |'))
  assert.ok(tables.some((table) => table.startsWith('| Field | Type |\n')))
  for (const table of tables) {
    const [head = '', , ...rows] = table.split('\n')
    if (head.endsWith('| Meaning |'))
      assert.ok(
        rows.some((row) => !row.endsWith('|  |')),
        table,
      )
  }
})

test('the reference names important defaults: the mode of a link, and whether links must be signed', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  for (const title of [
    'POST /portal/api/projects/{id}/pay-link',
    'POST /portal/api/projects/{id}/status-check',
    'POST /sdk/project/qr',
  ]) {
    const part = text.slice(text.indexOf(`### ${title}\n`)).split('\n### ')[0]!
    assert.match(part, /\| `mode` \| `live`, `test` \| Default: `live`\./, title)
  }
  const add = text.slice(text.indexOf('### POST /sdk/project/add\n')).split('\n### ')[0]!
  assert.match(add, /`requireSignedLinks` .*form sets true\. Default: `false`\./)
})

test('the reference shows the headers and every field of a callback', async () => {
  const body = document.components.schemas['CallbackBody']?.properties ?? {}
  assert.ok(Object.keys(body).length >= 13)
  for (const locale of LOCALES) {
    const { text } = await reader.get(`/${locale}/docs/reference.md`)
    const part = text.slice(text.indexOf('### payment.result\n')).split('\n### ')[0]!
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', ...Object.keys(body)])
      assert.ok(part.includes(`| \`${name}\` |`), `${locale} ${name}`)
  }
})

test('every description that the page shows has a Montenegrin translation', () => {
  const { about } = catalogue('cnr').docs.reference
  const bodies = routes.flatMap(({ operation }) => [
    operation.parameters,
    operation.requestBody,
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Number(status) < 300 ? [content] : [],
    ),
  ])
  const webhookOperations = Object.values(document.webhooks ?? {}).flatMap((methods) =>
    Object.values(methods),
  )
  bodies.push(...webhookOperations.flatMap(({ parameters, requestBody }) => [parameters, requestBody]))
  const used = [...JSON.stringify(bodies).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!)
  const texts = textsIn([bodies, used.map((name) => document.components.schemas[name])])
  const summaries = [...routes.map(({ operation }) => operation), ...webhookOperations].map(
    ({ summary = '' }) => summary,
  )
  for (const text of [...texts, ...summaries])
    assert.notEqual(about(text), text, `words/src/cnr/api-texts.ts: ${text}`)
})

test('a | in a value does not end its table cell', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const countCells = (line: string) => line.replaceAll(String.raw`\|`, '').split('|').length - 2
  for (const row of rows) assert.ok([2, 3, 4].includes(countCells(row)), row)
})
