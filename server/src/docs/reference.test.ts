// The reference is generated from the OpenAPI document, so these tests find gaps in that document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, LOCALES } from '@pazar/words'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { toAnchor } from './anchor.ts'
import type { ApiDocument } from './openapi-document.ts'
import { findExample } from './reference-examples.ts'
import { findResponse } from './reference-responses.ts'

function partOf(text: string, route: string): string {
  const headingIndex = text.indexOf(` <!-- id: ${toAnchor(route)} -->\n`)
  assert.ok(headingIndex >= 0, route)
  return text.slice(text.lastIndexOf('### ', headingIndex)).split('\n### ')[0]!
}

const service = await startTestService()
const reader = new Client(service.app)
const document = (await reader.get('/openapi.json')).json<ApiDocument>()
const routes = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, url, operation })),
)

test('the reference shows a command, the fields of the body and all errors of every public route', async () => {
  assert.ok(routes.length >= 15)
  for (const locale of LOCALES) {
    const { text } = await reader.get(`/${locale}/docs/reference.md`)
    const titles = new Set<string>()
    for (const { method, url, operation } of routes) {
      const title = `${method.toUpperCase()} ${url}`
      const part = partOf(text, title)
      // The heading is the task in the language of the page; the route is below it.
      const heading = catalogue(locale).docs.reference.routeTitle(title)
      assert.ok(heading !== null && !titles.has(heading), `words/src/${locale}/route-titles.ts: ${title}`)
      titles.add(heading)
      assert.ok(part.startsWith(`### ${heading} <!--`) && part.includes(`\n\`${title}\`\n`), title)
      assert.ok(findExample(method, url), `${title} needs a command in reference-examples.ts`)
      assert.ok(part.includes('```sh\ncurl') || part.includes('curl -s'), title)
      const body = operation.requestBody?.content['application/json']?.schema.properties ?? {}
      for (const field of Object.keys(body)) assert.ok(part.includes(`| \`${field}\` |`), `${title} ${field}`)
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        const line = part.split('\n').find((one) => one.startsWith(`${status} [`)) ?? ''
        for (const code of description.split(', '))
          assert.ok(line.includes(`[\`${code}\`](errors.md#${code})`), `${title} ${code}`)
      }
    }
  }
})

test('every route that responds with JSON shows a response beside its command', async () => {
  const { text } = await reader.get('/en/docs/reference')
  for (const { method, url, operation } of routes) {
    const title = `${method.toUpperCase()} ${url}`
    const { content = {} } =
      Object.entries(operation.responses).find(([status]) => Number(status) < 300)?.[1] ?? {}
    assert.equal(findResponse(method, url) !== null, 'application/json' in content, title)
    const headingIndex = text.indexOf(`<h3 id="${toAnchor(title)}">`)
    assert.equal(text.slice(0, headingIndex).endsWith('<section class="route"><div>'), true, title)
    assert.match(
      text.slice(headingIndex).split('</section>')[0]!,
      /<div class="examples"><div class="example">/,
      title,
    )
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

test('headings and the table of contents name the task, and long routes wrap only at a slash', async () => {
  for (const [locale, title] of [
    ['en', 'Refund a payment'],
    ['cnr', 'Vratite novac za plaćanje'],
  ] as const) {
    const { text } = await reader.get(`/${locale}/docs/reference`)
    const anchor = 'post-sdk-transaction-refund'
    assert.ok(text.includes(`<h3 id="${anchor}"><a href="#${anchor}">${title}</a></h3>`), locale)
    assert.ok(text.includes(`<li class="inner"><a href="#${anchor}">${title}</a></li>`), locale)
    assert.ok(text.includes('<code><b>POST</b> /sdk/<wbr>transaction/<wbr>refund</code>'), locale)
  }
})

test('a required field is marked as required, and an optional one is not', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  assert.match(text, /\| `prompt` \| string, \*\*required\*\* \|/)
  assert.match(text, /\| `again` \| boolean \|/)
})

test('values of the path, the query and the body have separate tables', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  const part = partOf(text, 'POST /portal/api/projects/{id}/deliveries/{callbackId}/resend')
  const [, path = '', body = ''] = part.split(/\*\*(?:Path parameters|Request body)\*\*/)
  assert.ok(path.includes('| `id` |') && path.includes('| `callbackId` |') && !path.includes('| `again` |'))
  assert.ok(body.includes('| `again` |') && !body.includes('| `id` |'))
  assert.match(text, /\*\*Query parameters\*\*\n\n[^*]*\| `cursor` \|/)
})

test('every field is explained in both languages', async () => {
  for (const locale of LOCALES) {
    const { text } = await reader.get(`/${locale}/docs/reference.md`)
    const rows = text.split('\n').filter((line) => line.startsWith('| `'))
    assert.ok(rows.length > 300)
    for (const row of rows)
      assert.match(row, /\| .*\p{L}{2}.*\. \|$/u, `words/src/${locale}/field-texts.ts: ${row}`)
  }
})

test('the sample of a route that accepts a token uses a token', () => {
  for (const { method, url, operation } of routes) {
    const takesToken = operation.security?.some((one) => 'token' in one) ?? false
    if (takesToken) assert.match(findExample(method, url) ?? '', /Bearer \$PAZAR_(?:REFUND_)?TOKEN/, url)
    if (takesToken) assert.doesNotMatch(findExample(method, url) ?? '', /cookies/, url)
  }
})

test('the reference names important defaults: the mode of a link, and whether links must be signed', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  for (const title of [
    'POST /portal/api/projects/{id}/pay-link',
    'POST /portal/api/projects/{id}/status-check',
    'POST /sdk/project/qr',
  ]) {
    const part = partOf(text, title)
    assert.match(part, /\| `mode` \| `live`, `test` \| .*Default: `live`\./, title)
  }
  const add = partOf(text, 'POST /sdk/project/add')
  assert.match(add, /`requireSignedLinks` .*form sets true\. Default: `false`\./)
})

test('the reference shows the headers and every field of a callback', async () => {
  const body = document.components.schemas['CallbackBody']?.properties ?? {}
  assert.ok(Object.keys(body).length >= 13)
  for (const locale of LOCALES) {
    const { text } = await reader.get(`/${locale}/docs/reference.md`)
    const part = partOf(text, 'payment.result')
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

test('the character "|" in a value does not end its table cell', async () => {
  const { text } = await reader.get('/en/docs/reference.md')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const countCells = (line: string) => line.replaceAll(String.raw`\|`, '').split('|').length - 2
  for (const row of rows) assert.ok([2, 3, 4].includes(countCells(row)), row)
})
