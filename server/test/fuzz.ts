// Makes random requests, many of them invalid. The same seed makes the same requests.
import { createRandom } from '../src/demo/random.ts'

const FIELDS = [
  'email',
  'password',
  'token',
  'name',
  'resultUrl',
  'apiUrl',
  'testApiUrl',
  'requireSignedLinks',
  'projectId',
]
  .concat([
    'project',
    'amount',
    'data',
    'customId',
    'mode',
    'hash',
    'page',
    'limit',
    'state',
    'q',
    'from',
    'to',
    'id',
  ])
  .concat([
    'locale',
    'timeZone',
    'theme',
    'outcome',
    'since',
    'again',
    'status',
    'format',
    'size',
    'signed',
    'exp',
    'prompt',
  ])

const TEXTS = [
  '',
  ' ',
  'a',
  'ana@example.com',
  "' OR 1=1--",
  '\u0000',
  '\ud800',
  '\u202E',
  '<img src=x onerror=alert(1)>',
  '${7*7}',
]
  .concat([
    'https://shop.example.com/x',
    'http://127.0.0.1',
    'javascript:alert(1)',
    '1500',
    '-1',
    '1e3',
    '9'.repeat(30),
    'NaN',
  ])
  .concat([
    'Europe/Podgorica',
    'live',
    'test',
    '2026-01-01T00:00:00.000Z',
    'eyJhbGciOiJub25lIn0.e30.',
    'č'.repeat(200),
    '../../etc/passwd',
  ])
  .concat([
    '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
    '%',
    '%s%n',
    '{{7*7}}',
    '\r\nSet-Cookie: a=b',
    'a'.repeat(5000),
  ])

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json, text/html',
  'x',
]

export interface FuzzRequest {
  url: string
  body?: string
  headers: Record<string, string>
}

export interface Fuzz {
  request(method: 'GET' | 'POST', pattern: string): FuzzRequest
}

export function createFuzz(seed: number, projectId: () => string): Fuzz {
  const random = createRandom(seed)
  const chance = (share: number) => random() < share
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

  const makeText = () => (chance(0.05) ? projectId() : oneOf(TEXTS))

  function makeValue(depth = 0): unknown {
    const kind = Math.floor(random() * (depth > 3 ? 6 : 8))
    const simple = [
      makeText(),
      makeText(),
      Math.floor(random() * 1e6) - 5e5,
      random() * 1e300,
      null,
      chance(0.5),
    ]
    if (kind < 6) return simple[kind]
    if (kind === 6) return Array.from({ length: Math.floor(random() * 4) }, () => makeValue(depth + 1))
    return Object.fromEntries(
      Array.from({ length: Math.floor(random() * 4) }, () => [
        oneOf([...FIELDS, ...TEXTS]),
        makeValue(depth + 1),
      ]),
    )
  }

  function makeObject(): Record<string, unknown> {
    const fields = Array.from(
      { length: Math.floor(random() * 6) },
      () => [oneOf(FIELDS), makeValue()] as const,
    )
    const withProject = chance(0.5) ? [['projectId', projectId()] as const] : []
    return Object.fromEntries([...withProject, ...fields])
  }

  function makeBody(): string {
    const json = JSON.stringify(chance(0.85) ? makeObject() : makeValue()) ?? 'null'
    if (chance(0.08)) return json.slice(0, Math.floor(random() * json.length))
    if (chance(0.05)) return `${json.slice(0, -1)},"name":"x","name":"y"}`
    if (chance(0.03)) return '['.repeat(200) + ']'.repeat(200)
    return json
  }

  function makeQuery(): string {
    if (chance(0.3)) return ''
    const pairs = Array.from({ length: Math.floor(random() * 6) }, () => {
      const chosen = makeText()
      return `${oneOf(FIELDS)}=${chance(0.1) ? '%zz' : encodeURIComponent(chosen.isWellFormed() ? chosen : 'x')}`
    })
    return `?${pairs.join('&')}`
  }

  return {
    request(method, pattern) {
      const path = pattern.replaceAll(/:[a-zA-Z]+/g, () => {
        const chosen = chance(0.5) ? projectId() : makeText()
        return encodeURIComponent(chosen.isWellFormed() ? chosen.slice(0, 300) : 'x') || 'x'
      })
      const url = path.replaceAll('*', 'x') + makeQuery()
      const accept = chance(0.2)
        ? { accept: oneOf(['text/html', 'application/json', '*/*', 'x', 'text/html;q=x']) }
        : {}
      const language = chance(0.1) ? { 'accept-language': makeText().replaceAll(/[^\x20-\x7e]/g, '') } : {}
      const headers = { ...accept, ...language }
      if (method === 'GET') return { url, headers }
      const type = chance(0.9) ? 'application/json' : oneOf(TYPES)
      return { url, body: makeBody(), headers: { ...headers, 'content-type': type } }
    },
  }
}
