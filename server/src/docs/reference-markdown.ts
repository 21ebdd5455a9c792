// Generates the API reference as a Markdown page from the OpenAPI document, so it matches the schemas that validate requests.
import { catalogue } from '@pazar/words'
import type { Catalogue, Locale } from '@pazar/words'
import { toAnchor } from './anchor.ts'
import type { ApiDocument, ApiOperation, ApiParameter, ApiSchema } from './openapi-document.ts'
import { findExample } from './reference-examples.ts'
import { findResponse } from './reference-responses.ts'
import { describeSchema, fieldsOf, resolve, toSentence } from './reference-fields.ts'
import type { Field } from './reference-fields.ts'

type Words = Catalogue['docs']['reference']

const TAGS = ['projects', 'transactions', 'callbacks', 'checkout', 'assistant'] as const

/** Escapes `|`, which would end a table cell. */
function toCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}

/** `marksRequired` is false for responses: their fields are present unless the meaning column says otherwise. */
function toTable(fields: readonly Field[], words: Words, marksRequired: boolean): string {
  const head = [words.field, words.type, words.meaning]
  const rows = fields.map(({ name, type, isRequired, meaning }) => [
    `\`${name}\``,
    marksRequired && isRequired ? `${type}, **${words.required}**` : type,
    meaning,
  ])
  const toLine = (cells: readonly string[]) => `| ${cells.map(toCell).join(' | ')} |`
  return [toLine(head), toLine(head.map(() => '---')), ...rows.map(toLine)].join('\n')
}

function describeCallers(url: string, { security }: ApiOperation, words: Words): string {
  const scope = security?.flatMap((one) => one['token'] ?? [])[0]
  if (scope !== undefined) return words.token(`\`${scope}\``)
  if (security) return words.session
  return url.endsWith('/checkStatus') ? words.secret : words.anyone
}

function toRequest(document: ApiDocument, operation: ApiOperation, words: Words): string[] {
  const parametersIn = (location: ApiParameter['in']) =>
    (operation.parameters ?? [])
      .filter((one) => one.in === location)
      .map(({ name, required = false, description, schema }) => ({
        name,
        isRequired: required,
        ...describeSchema(document, name, { ...schema, ...(description ? { description } : {}) }, words),
      }))
  const body = operation.requestBody?.content['application/json']?.schema
  const locations = [
    [words.places.path, parametersIn('path')],
    [words.places.query, parametersIn('query')],
    [words.places.headers, parametersIn('header')],
    [words.places.body, body ? fieldsOf(document, body, words) : []],
  ] as const
  return locations.flatMap(([location, fields]) =>
    fields.length > 0 ? [`**${location}**`, toTable(fields, words, true)] : [],
  )
}

function toVariants(document: ApiDocument, given: ApiSchema): ApiSchema[] {
  const schema = resolve(document, given)
  return schema.anyOf ? schema.anyOf.flatMap((form) => toVariants(document, form)) : [schema]
}

function withPresence(field: Field, words: Words): Field {
  if (field.isRequired) return field
  return { ...field, meaning: [field.meaning, words.notAlways].filter((text) => text !== '').join(' ') }
}

/** A table with at most this many rows is repeated, because a link would hardly be shorter. */
const REPEATED_ROWS_MAX = 8

type Printed = Map<string, string>

function toTableOnce(fields: readonly Field[], words: Words, link: string, printed: Printed): string {
  const table = toTable(fields, words, false)
  const first = printed.get(table)
  if (first !== undefined) return words.sameFields(first)
  if (fields.length > REPEATED_ROWS_MAX) printed.set(table, link)
  return table
}

function toResponses(
  document: ApiDocument,
  operation: ApiOperation,
  words: Words,
  { link, printed }: { link: string; printed: Printed },
): string[] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([status, { content = {} }]) => {
      const types = Object.keys(content).filter((type) => type !== 'text/html')
      const schema: ApiSchema | undefined = content['application/json']?.schema
      const line = `**${words.answer}** \`${status}\`${types.length > 0 ? `, ${types.map((type) => `\`${type}\``).join(', ')}` : ''}`
      const tables = (schema ? toVariants(document, schema) : [])
        .map((form) => fieldsOf(document, form, words).map((field) => withPresence(field, words)))
        .filter((fields) => fields.length > 0)
        .map((fields) => toTableOnce(fields, words, link, printed))
      return [line, ...tables.flatMap((table, index) => (index === 0 ? [table] : [words.orElse, table]))]
    })
}

function toErrors({ responses }: ApiOperation, words: Words): string {
  const lines = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const codes = description.split(', ').map((code) => `[\`${code}\`](errors.md#${code})`)
      return `${status} ${codes.join(', ')}`
    })
  // Two spaces end a line, so each status is on a line of its own.
  return [`**${words.refusals}**:`, ...lines].join('  \n')
}

/** The heading says what the route is for; its anchor is made from the route, so it is the same in both languages. */
function toHeading(route: string, words: Words): string[] {
  return [`### ${words.routeTitle(route) ?? route} <!-- id: ${toAnchor(route)} -->`, `\`${route}\``]
}

interface RouteOfPage {
  method: string
  url: string
  operation: ApiOperation
}

function toShell(script: string): string {
  return `\`\`\`sh\n${script}\n\`\`\``
}

function toRoute(
  document: ApiDocument,
  { method, url, operation }: RouteOfPage,
  words: Words,
  printed: Printed,
): string[] {
  const example = findExample(method, url)
  const response = findResponse(method, url)
  const route = `${method.toUpperCase()} ${url}`
  const summary = words.about(operation.summary ?? '')
  // The summary of most routes equals their title and adds nothing.
  const isTitle = operation.summary === catalogue('en').docs.reference.routeTitle(route)
  return [
    ...toHeading(route, words),
    // People search for what a route does, not for its URL.
    `<!-- keywords: ${summary} -->`,
    ...(isTitle ? [] : [toSentence(summary)]),
    `**${words.who}**: ${describeCallers(url, operation, words)}.`,
    // The word `example` puts the command and the response beside the text of the route (route-columns.ts).
    ...(example === null ? [] : [`\`\`\`sh example\n${example}\n\`\`\``]),
    ...(response === null ? [] : [`\`\`\`json example\n${response}\n\`\`\``]),
    ...toRequest(document, operation, words),
    ...toResponses(document, operation, words, {
      link: `[${words.routeTitle(route) ?? route}](#${toAnchor(route)})`,
      printed,
    }),
    toErrors(operation, words),
  ]
}

function toWebhooks(document: ApiDocument, words: Words): string[] {
  const operations = Object.entries(document.webhooks ?? {}).flatMap(([event, methods]) =>
    Object.values(methods).map((operation) => ({ event, operation })),
  )
  return operations.flatMap(({ event, operation }) => [
    ...toHeading(event, words),
    `${toSentence(words.about(operation.summary ?? ''))} ${words.webhook}`,
    ...toRequest(document, operation, words),
  ])
}

const SETUP = `export PAZAR_BASE_URL=https://pay.example.me
export PAZAR_PROJECT_ID=YOUR_PROJECT_ID
export PAZAR_SECRET=sk_test_YOUR_TEST_SECRET
export PAZAR_TOKEN=pat_YOUR_TOKEN
export PAZAR_REFUND_TOKEN=pat_YOUR_REFUND_TOKEN
export PAZAR_TRANSACTION_ID=YOUR_TRANSACTION_ID
export PAZAR_CALLBACK_ID=msg_YOUR_CALLBACK_ID`

/** Some routes, such as seeSecret, are only for signed-in people, so their examples need a session cookie. */
const SIGN_IN = `curl -s "$PAZAR_BASE_URL/portal/api/sign-in" \\
  -o session.json -c cookies.txt \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"YOUR_PASSWORD"}'
curl -s "$PAZAR_BASE_URL/portal/api/step-up" \\
  -b cookies.txt -c cookies.txt \\
  -H 'content-type: application/json' \\
  -d '{"password":"YOUR_PASSWORD"}'`

export function toReferenceMarkdown(document: ApiDocument, locale: Locale): string {
  const words = catalogue(locale).docs.reference
  const printed: Printed = new Map()
  const routes = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, url, operation })),
  )
  const groups = TAGS.flatMap((tag) => {
    const ofTag = routes.filter(({ operation }) => operation.tags?.[0] === tag)
    // Deprecated routes are last, because new programs do not need them.
    const routesOfTag = [
      ...ofTag.filter(({ operation }) => !operation.deprecated),
      ...ofTag.filter(({ operation }) => operation.deprecated),
    ]
    if (routesOfTag.length === 0) return []
    return [
      `## ${words.tags[tag]}`,
      ...(tag === 'callbacks' ? toWebhooks(document, words) : []),
      ...routesOfTag.flatMap((route) => toRoute(document, route, words, printed)),
    ]
  })
  return [
    `# ${words.title}`,
    `${words.intro} [/openapi.json](/openapi.json).`,
    `## ${words.setUp}`,
    words.setUpText,
    toShell(SETUP),
    words.signInText,
    toShell(SIGN_IN),
    ...groups,
  ].join('\n\n')
}
