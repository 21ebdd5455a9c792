// Breaks one thing in a valid request, or nothing.
import type { JsonSchema, Operation } from './document.ts'
import { typeOf, typesOf } from './document.ts'

export interface ValidRequest {
  url: string
  body?: Readonly<Record<string, unknown>>
}

export interface BrokenRequest {
  what: string
  url: string
  body?: string
  headers: Record<string, string>
  isAnonymous?: boolean
  /** The allowed statuses. Null allows any response that the document describes. */
  expected: readonly number[] | null
}

export type Random = () => number

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  "' or 1=1--",
  '<img src=x onerror=alert(1)>',
  '${7*7}',
].concat(
  ['%s%n', '../../etc/passwd', 'http://127.0.0.1/', 'javascript:alert(1)', 'eyJhbGciOiJub25lIn0.e30.'],
  [
    '\r\nSet-Cookie: a=b',
    '-1',
    '1e3',
    '0',
    '007',
    'NaN',
    '９９',
    'č'.repeat(200),
    'a'.repeat(5_000),
    '__proto__',
  ],
)
const VALUES_OF_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  string: ['x', '5'],
  integer: [5, -1],
  number: [1.5, 1e300],
  boolean: [true, false],
  null: [null],
  array: [[], ['x'], [[]]],
  object: [{}, { toString: 'x' }],
}
/** A wrong value is refused by the schema (400) or, in a URL field, by the rules for URLs (422). */
const REFUSED = [400, 422] as const
const BODY_TOO_LARGE = 70_000

function pickOne<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

function listWrongValues(schema: JsonSchema): [what: string, value: unknown][] {
  const types = typesOf(schema)
  const forms = [schema, ...(schema.anyOf ?? [])]
  const text = forms.find((one) => [one.type].flat().includes('string'))
  const number = forms.find((one) => [one.type].flat().includes('integer'))
  const wrong: [string, unknown][] = Object.entries(VALUES_OF_TYPE)
    .filter(([type]) => !types.includes(type))
    .flatMap(([type, values]) => values.map((value): [string, unknown] => [`type ${type}`, value]))
  if (text?.maxLength !== undefined) wrong.push(['too long', 'x'.repeat(text.maxLength + 1)])
  if (text?.minLength) wrong.push(['too short', ''])
  if (text?.enum) wrong.push(['not in the list', 'neither'])
  const { pattern } = text ?? {}
  if (pattern !== undefined) {
    const hostile = HOSTILE_TEXTS.filter((one) => !new RegExp(pattern, 'u').test(one))
    wrong.push(...hostile.map((one): [string, unknown] => ['pattern', one]))
  }
  if (number?.minimum !== undefined) wrong.push(['too small', number.minimum - 1])
  if (number?.maximum !== undefined) wrong.push(['too large', number.maximum + 1])
  return wrong.filter(([, value]) => !(typeOf(value) === 'integer' && types.includes('number')))
}

type Break = (valid: ValidRequest, operation: Operation, random: Random) => Omit<BrokenRequest, 'what'> | null

function bodySchemaOf(operation: Operation): JsonSchema {
  return operation.requestBody?.content['application/json']?.schema ?? {}
}

function withBody(
  valid: ValidRequest,
  body: unknown,
  expected: BrokenRequest['expected'],
): Omit<BrokenRequest, 'what'> {
  return { url: valid.url, body: JSON.stringify(body), headers: {}, expected }
}

const BODY_BREAKS: Readonly<Record<string, Break>> = {
  nothing: (valid) => withBody(valid, valid.body, null),
  value(valid, operation, random) {
    const [name, schema] = pickOne(random, Object.entries(bodySchemaOf(operation).properties ?? {})) ?? []
    const wrong = schema ? listWrongValues(schema) : []
    if (!name || wrong.length === 0) return null
    return withBody(valid, { ...valid.body, [name]: pickOne(random, wrong)[1] }, REFUSED)
  },
  missing(valid, operation, random) {
    const name = pickOne(random, bodySchemaOf(operation).required ?? [])
    if (!name) return null
    const { [name]: _left, ...rest } = valid.body ?? {}
    return withBody(valid, rest, [400])
  },
  extra: (valid, _operation, random) =>
    withBody(
      valid,
      { ...valid.body, [pickOne(random, ['nonsense', 'constructor', 'x'.repeat(300), ''])]: 1 },
      [400],
    ),
  hostile(valid, operation, random) {
    const name = pickOne(random, Object.keys(bodySchemaOf(operation).properties ?? {}))
    return name ? withBody(valid, { ...valid.body, [name]: pickOne(random, HOSTILE_TEXTS) }, null) : null
  },
  repeated(valid, _operation, random) {
    const [name, value] = pickOne(random, Object.entries(valid.body ?? {})) ?? []
    if (!name) return null
    const body = `${JSON.stringify(valid.body).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
    return { url: valid.url, body, headers: {}, expected: [400] }
  },
  cut(valid, _operation, random) {
    const json = JSON.stringify(valid.body)
    // At least the first brace remains, because some routes accept an empty body.
    const body = json.slice(0, 1 + Math.floor(random() * (json.length - 1)))
    return { url: valid.url, body, headers: {}, expected: [400] }
  },
  'not an object': (valid, _operation, random) =>
    withBody(valid, pickOne(random, [null, [], 'x', 5, true, [valid.body]]), [400]),
  'media type': (valid, _operation, random) => ({
    ...withBody(valid, valid.body, [415]),
    headers: {
      'content-type': pickOne(random, ['text/plain', 'multipart/form-data; boundary=x', 'application/xml']),
    },
  }),
  size: (valid) => withBody(valid, { ...valid.body, more: 'x'.repeat(BODY_TOO_LARGE) }, [413]),
  origin: (valid) => ({
    ...withBody(valid, valid.body, [403]),
    headers: { origin: 'https://elsewhere.example' },
  }),
  session: (valid, operation) =>
    operation.security ? { ...withBody(valid, valid.body, [401]), isAnonymous: true } : null,
  accept: (valid, _operation, random) => ({
    ...withBody(valid, valid.body, null),
    headers: { accept: pickOne(random, ['text/html', 'x', '*/*;q=0', 'text/html;q=x', 'image/png']) },
  }),
}

function withQuery(path: string, pairs: readonly (readonly [string, string])[]): string {
  const encode = (text: string) => encodeURIComponent(text.isWellFormed() ? text : 'x')
  return `${path}?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

/** Whether a wrong value of this parameter must be refused. This is true for all parameters of a pay link except `lang`. */
function isChecked(url: string, name: string): boolean {
  return url.startsWith('/pay?') && name !== 'lang'
}

const QUERY_BREAKS: Readonly<Record<string, Break>> = {
  nothing: (valid) => ({ url: valid.url, headers: {}, expected: null }),
  value(valid, operation, random) {
    const parameter = pickOne(
      random,
      (operation.parameters ?? []).filter((one) => one.in === 'query'),
    )
    const texts = listWrongValues(parameter?.schema ?? {}).filter(([, value]) => typeof value === 'string')
    if (!parameter || texts.length === 0) return null
    return changeQuery(valid, parameter.name, [String(pickOne(random, texts)[1])], REFUSED)
  },
  missing(valid, operation, random) {
    const parameter = pickOne(
      random,
      (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required),
    )
    return parameter ? changeQuery(valid, parameter.name, [], [400]) : null
  },
  repeated(valid, operation, random) {
    const parameter = pickOne(
      random,
      (operation.parameters ?? []).filter((one) => one.in === 'query'),
    )
    return parameter ? changeQuery(valid, parameter.name, ['1', '1'], [400]) : null
  },
  hostile(valid, operation, random) {
    const parameter = pickOne(
      random,
      (operation.parameters ?? []).filter((one) => one.in === 'query'),
    )
    return parameter ? changeQuery(valid, parameter.name, [pickOne(random, HOSTILE_TEXTS)], null) : null
  },
  encoding: (valid, _operation, random) => ({
    url: `${valid.url}&x=${pickOne(random, ['%', '%zz', '%ff', '%00', '%ed%a0%80'])}`.replace(
      /^([^?]*)&/,
      '$1?',
    ),
    headers: {},
    // A bank may add parameters in any encoding to the URL of a payment's page.
    expected: valid.url.startsWith('/pay/') ? null : [400],
  }),
  path(valid, operation, random) {
    if (!operation.parameters?.some((one) => one.in === 'path')) return null
    const hostile =
      encodeURIComponent(
        pickOne(
          random,
          HOSTILE_TEXTS.filter((one) => one.isWellFormed()),
        ).slice(0, 150),
      ) || 'x'
    return { url: valid.url.replace(/[^/]+$/, hostile), headers: {}, expected: null }
  },
  accept: (valid, _operation, random) => ({
    url: valid.url,
    headers: { accept: pickOne(random, ['text/html', 'application/json', 'x', '*/*;q=0', 'image/png']) },
    expected: null,
  }),
}

function changeQuery(
  valid: ValidRequest,
  name: string,
  values: readonly string[],
  expected: readonly number[] | null,
): Omit<BrokenRequest, 'what'> {
  const [path = '', query = ''] = valid.url.split('?')
  const others = [...new URLSearchParams(query)].filter(([one]) => one !== name)
  const url = withQuery(path, [...others, ...values.map((value): [string, string] => [name, value])])
  return { url, headers: {}, expected: isChecked(url, name) ? expected : null }
}

export function breakRequest(valid: ValidRequest, operation: Operation, random: Random): BrokenRequest {
  const breaks = Object.entries(valid.body ? BODY_BREAKS : QUERY_BREAKS)
  for (;;) {
    const [what, apply] = pickOne(random, breaks)
    const broken = apply(valid, operation, random)
    if (broken) return { what, ...broken }
  }
}
