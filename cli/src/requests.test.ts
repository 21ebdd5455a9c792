// What commands send, and how they read responses, values and the environment. `fetch` is mocked.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { catalogue } from '@pazar/words'
import { runInProcess, makeDir } from '../test/cli-world.ts'
import { createFetch } from '../test/create-fetch.ts'
import { toConnectionError, toRefusal } from './api-error.ts'
import { CliError } from './cli-error.ts'
import { readEnvironment } from './environment.ts'
import { requireToken, requireUrl, requireWholeNumber } from './values.ts'

const words = catalogue('en').cli
const dir = await makeDir()
const env = {
  PAZAR_BASE_URL: 'https://pay.example.me',
  PAZAR_TOKEN: 'pat_x',
  PAZAR_CONFIG: path.join(dir, 'cli.json'),
  LANG: 'en',
}

function respond(t: TestContext, bodies: Record<string, unknown>) {
  const { sent, fetch } = createFetch(bodies)
  t.mock.method(globalThis, 'fetch', fetch)
  return sent
}

const toProject = (id: string, archivedAt: string | null = null) => ({
  id,
  name: id,
  apiUrl: 'a',
  testApiUrl: null,
  archivedAt,
})

test('a command without --project uses the only project that is not archived, and fails if there are several', async (t) => {
  const sent = respond(t, {
    '/list': { projects: [toProject('old', '2026-01-01'), toProject('new')] },
    '/deliveries': { items: [] },
  })
  assert.equal((await runInProcess(['deliveries', 'list'], { env })).code, 0)
  assert.equal(sent.at(-1)?.url, 'https://pay.example.me/portal/api/projects/new/deliveries?limit=20')
  respond(t, { '/list': { projects: [toProject('one'), toProject('two')] } })
  const several = await runInProcess(['deliveries', 'list', '--json'], { env })
  assert.equal(several.json<{ error: { code: string } }>().error.code, 'no_project')
})

test('login stores the only project that is not archived', async (t) => {
  respond(t, { '/list': { projects: [toProject('old', '2026-01-01'), toProject('new')] } })
  const file = path.join(dir, 'login.json')
  const result = await runInProcess(['login', '--json'], { env: { ...env, PAZAR_CONFIG: file } })
  assert.deepEqual(result.json(), { baseUrl: 'https://pay.example.me', projects: 2, projectId: 'new', file })
})

test('a request has the token and the language, and follows no redirect', async (t) => {
  const sent = respond(t, { '/list': { projects: [] } })
  const timeouts = t.mock.method(AbortSignal, 'timeout')
  await runInProcess(['projects', '--lang', 'cnr'], { env })
  assert.deepEqual(
    timeouts.mock.calls[0]?.arguments,
    [30_000],
    'the time limit is longer than the 15 s that a test callback may take',
  )
  const { init } = sent[0]!
  const headers = new Headers(init.headers)
  assert.deepEqual(
    [headers.get('authorization'), headers.get('cookie'), headers.get('accept'), init.redirect],
    ['Bearer pat_x', 'lang=cnr', 'application/json', 'manual'],
  )
})

test('the body of a file is sent with its byte order mark', async (t) => {
  const sent = respond(t, { 'verify-signature': { matches: false, problems: [] } })
  const file = path.join(dir, 'body.json')
  await writeFile(file, '\uFEFF{}')
  await runInProcess(['verify', '--file', file, '--header', 'webhook-id: a', '--project', 'ab'], { env })
  const { body } = JSON.parse(sent.at(-1)?.init.body as string) as { body: string }
  assert.equal(body, '\uFEFF{}')
})

test('errors of the service name the next step', async () => {
  const context = { words, locale: 'en', baseUrl: 'https://pay.example.me' } as const
  const refuse = (code: string, headers: Record<string, string> = {}, errors: object[] = []) =>
    toRefusal(
      Response.json(
        { type: 'https://docs', title: 'T', status: 400, detail: 'D.', code, requestId: 'r', errors },
        { status: 400, headers: { 'content-type': 'application/problem+json', ...headers } },
      ),
      context,
    )
  for (const [code, next] of [
    ['unauthenticated', words.next.checkToken],
    ['step_up_required', words.next.widerToken],
    ['not_found', words.next.seeProjects],
    ['already_delivered', words.next.resendAgain],
    ['invalid_request', words.next.correct],
    ['rate_limited', words.next.later],
    ['unavailable', words.next.later],
    ['archived', words.next.read('https://docs')],
  ] as const)
    assert.equal((await refuse(code)).next, next, code)
  const withWait = await refuse('rate_limited', { 'retry-after': '120' })
  assert.deepEqual([withWait.next, withWait.facts.retryAfterSec], [words.next.wait('2 min'), 120])
  const expired = await toRefusal(
    Response.json(
      { type: 'https://docs', title: 'T', status: 410, detail: 'D.', code: 'cursor_expired', next: 'c5' },
      { status: 410, headers: { 'content-type': 'application/problem+json' } },
    ),
    context,
  )
  assert.deepEqual([expired.next, expired.facts.cursor], [words.next.continueAfter('c5'), 'c5'])
  const confirm = [{ path: 'confirm', code: 'confirm_live_url', message: 'M' }]
  const live = await refuse('invalid_request', {}, confirm)
  assert.deepEqual(
    [live.next, live.facts.details, live.facts.requestId],
    [words.next.confirmLive, ['confirm: M'], 'r'],
  )
  const result = await refuse('custom_id_conflict', {}, [
    { path: 'callbackId', code: 'overtaken', message: 'D.' },
  ])
  assert.deepEqual(
    [result.message, result.facts.details],
    ['T. D.', []],
    'a detail that repeats the message is left out',
  )
  const page = await toRefusal(new Response('<html>', { status: 502 }), context)
  assert.deepEqual([page.facts.code, page.facts.status], ['unexpected_answer', 502])
})

test('events --follow retries if the service becomes unreachable, and ends after a refused token', async (t) => {
  const toEvent = (id: string) => ({
    id,
    type: 'payment.created',
    at: '2026-11-18T07:12:09.576Z',
    payload: {},
  })
  const problem = { type: 'https://docs', title: 'T', status: 401, detail: 'D.', code: 'unauthenticated' }
  const responses = [
    () => Response.json({ items: [toEvent('evt_1')], next: 'c1', hasMore: true }),
    () => Promise.reject(new TypeError('fetch failed')),
    () => Response.json({ items: [toEvent('evt_2')], next: 'c2', hasMore: true }),
    () => Response.json(problem, { status: 401, headers: { 'content-type': 'application/problem+json' } }),
  ]
  const cursors: unknown[] = []
  t.mock.method(globalThis, 'fetch', async (_url: string, init: { body: string }) => {
    cursors.push((JSON.parse(init.body) as { after?: string }).after)
    return responses[cursors.length - 1]!()
  })
  const result = await runInProcess(['events', '--follow', '--json', '--project', 'p'], { env })
  assert.deepEqual(cursors, [undefined, 'c1', 'c1', 'c2'])
  assert.match(result.out, /^\{"id":"evt_1".*\n\{"id":"evt_2"/)
  assert.match(
    result.err,
    /^The service cannot be reached at \S+ Trying again in [12] s\.\n\{"error":\{"code":"unauth/,
  )
  assert.equal(result.code, 1)
  cursors.length = 0
  responses.splice(0, 1)
  const first = await runInProcess(['events', '--follow', '--project', 'p'], { env })
  assert.deepEqual([first.code, cursors.length], [1, 1], 'an unreachable service at the start is an error')
})

test('a stop by the user is not reported as a lost connection', () => {
  const toCode = (error: Error) => {
    const connectionError = toConnectionError(error, words, 'https://pay.example.me')
    return connectionError instanceof CliError ? connectionError.facts.code : connectionError
  }
  const stopped = new DOMException('stopped', 'AbortError')
  assert.equal(toCode(stopped), stopped)
  assert.equal(toCode(new DOMException('late', 'TimeoutError')), 'timeout')
  assert.equal(toCode(new TypeError('fetch failed')), 'unreachable')
})

test('values are checked before they are sent', () => {
  assert.equal(requireUrl(words, 'url', 'http://localhost:4000/a'), 'http://localhost:4000/a')
  for (const url of ['localhost:4000', 'ftp://a.me', 'https://user@a.me/', '', 'https://user:pw@a.me'])
    assert.throws(() => requireUrl(words, 'url', url), { exitCode: 2 }, url)
  assert.equal(requireWholeNumber(words, 'exp', '999999999999'), 999_999_999_999)
  for (const number of ['', '-1', '1.5', '1e3', '1000000000000', ' 1'])
    assert.throws(() => requireWholeNumber(words, 'exp', number), { exitCode: 2 }, number)
  assert.equal(requireToken(words, 'pat_A-z_0'), 'pat_A-z_0')
  for (const [text, message] of [
    ['', words.problems.noToken],
    ['sk_live_x', words.problems.secretAsToken],
    ['pat_š', words.problems.notToken],
    ['pat_x y', words.problems.notToken],
  ] as const)
    assert.throws(() => requireToken(words, text), { message }, text)
})

test('the language, the colours and the config file are read from the environment', () => {
  const readLanguage = (variables: Record<string, string>) => readEnvironment(variables).language
  assert.equal(readLanguage({ LC_ALL: 'a', LC_MESSAGES: 'b', LANG: 'c' }), 'a')
  assert.equal(readLanguage({ LC_MESSAGES: 'b', LANG: 'c' }), 'b')
  assert.equal(readLanguage({ LC_ALL: ' ', LANG: 'c' }), 'c')
  const isWithoutColor = (variables: Record<string, string>) => readEnvironment(variables).noColor
  assert.deepEqual(
    [
      isWithoutColor({}),
      isWithoutColor({ NO_COLOR: '' }),
      isWithoutColor({ NO_COLOR: '1' }),
      isWithoutColor({ TERM: 'dumb' }),
      isWithoutColor({ TERM: 'xterm' }),
    ],
    [false, false, true, true, false],
  )
  assert.equal(
    readEnvironment({ XDG_CONFIG_HOME: '/x', APPDATA: '/y' }).configFile,
    path.join('/x', 'pazar', 'cli.json'),
  )
  assert.equal(readEnvironment({ PAZAR_CONFIG: '/z' }).configFile, '/z')
})
