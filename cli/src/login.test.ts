import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, test } from 'node:test'
import { makeToken } from '../../server/test/api-tokens.ts'
import { startListener } from '../../server/test/exam/listener.ts'
import { startCliWorld } from '../test/cli-world.ts'
import type { CliOptions } from '../test/cli-world.ts'

const world = await startCliWorld()
const { baseUrl, token, projectId, dir, call } = world
const file = path.join(dir, 'cli.json')
const NO_SETTINGS = { PAZAR_TOKEN: '', PAZAR_BASE_URL: '', PAZAR_PROJECT_ID: '' }
const LOGIN = ['login', '--base-url', `${baseUrl}/`]

afterEach(() => rmSync(file, { force: true }))

const TOKEN_SOURCES: [string, CliOptions][] = [
  ['the environment', { env: { ...NO_SETTINGS, PAZAR_TOKEN: token } }],
  ['standard input', { env: NO_SETTINGS, input: `${token}\n` }],
  ['a question with hidden input', { env: NO_SETTINGS, answers: [token] }],
]
for (const [caseName, options] of TOKEN_SOURCES) {
  test(`a token from ${caseName} is checked, saved in a file of mode 0600, and not shown`, async () => {
    const result = await call(LOGIN, options)
    assert.deepEqual([result.code, result.out], [0, `Signed in to ${baseUrl}: 1 project.\nSaved in ${file}.`])
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { baseUrl, token, projectId })
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(result.err.includes(token), false)
    assert.match((await call(['projects'], { env: NO_SETTINGS })).out, new RegExp(`^\\*  ${projectId}`))
  })
}

test('login asks for a missing address, and saves --lang', async () => {
  const prompted = await call(['login'], { env: NO_SETTINGS, answers: [baseUrl, token] })
  assert.deepEqual(
    [prompted.code, prompted.err],
    [0, 'Address of the service:\nAPI token (it is not shown):'],
  )
  const piped = await call([...LOGIN, '--token-stdin', '--lang', 'cnr'], {
    env: NO_SETTINGS,
    answers: [],
    input: token,
  })
  assert.match(piped.out, /^Prijavljeni ste/)
  assert.match((await call(['status'], { env: NO_SETTINGS })).err, /^Nedostaje <customId>\./)
})

for (const [caseName, input, sentence] of [
  ['no token', '', /There is no API token\.\nCreate one in the portal/],
  ['a project’s secret', 'sk_test_0123456789', /This is a project’s secret\./],
  ['any other text', 'hunter2', /This is not an API token/],
  ['an unknown token', `pat_${'0'.repeat(64)}`, /expired, was revoked, or belongs to another service/],
] as const) {
  test(`${caseName} is refused with the next step, and nothing is saved`, async () => {
    const result = await call(LOGIN, { env: NO_SETTINGS, input })
    assert.match(result.err, sentence)
    assert.deepEqual([result.code, result.out, existsSync(file)], [1, '', false])
  })
}

test('a PAZAR_TOKEN that is not a token is refused before it is sent', async () => {
  const otherServer = await startListener()
  const received: (string | undefined)[] = []
  otherServer.listener = (request, response) => {
    received.push(request.headers.authorization)
    response.end()
  }
  for (const [PAZAR_TOKEN, sentence] of [
    ['sk_live_0123456789', /^This is a project’s secret\./],
    ['hunter2', /^This is not an API token\. API tokens start with pat_/],
    ['pat_šš', /^This is not an API token/],
    ['pat_1 2', /^This is not an API token/],
  ] as const) {
    const result = await call(['projects'], {
      env: { PAZAR_TOKEN, PAZAR_BASE_URL: `http://${otherServer.hostAndPort}` },
    })
    assert.match(result.err, sentence)
    assert.equal(result.err.includes(PAZAR_TOKEN), false)
  }
  assert.deepEqual(received, [])
})

test('a token is not sent over plain http to another machine', async () => {
  for (const host of ['pay.example.me', 'localhost.example.me', '127.0.0.1.example.me']) {
    const result = await call(['login', '--base-url', `http://${host}`], { env: NO_SETTINGS, input: token })
    assert.match(result.err, /^An API token is not sent over plain http/, host)
  }
})

test('a saved token is only sent to the saved address', async () => {
  await call(LOGIN, { env: NO_SETTINGS, input: token })
  const otherServer = await startListener()
  const received: (string | undefined)[] = []
  otherServer.listener = (request, response) => {
    received.push(request.headers.authorization)
    response.end()
  }
  const result = await call(['projects', '--base-url', `http://${otherServer.hostAndPort}`], {
    env: NO_SETTINGS,
  })
  assert.match(result.err, /^There is no API token\./)
  assert.deepEqual(received, [])
})

test('an invalid config file is reported with its path', async () => {
  writeFileSync(file, 'token = pat_1')
  const result = await call(['projects'], { env: NO_SETTINGS })
  assert.equal(result.err, `${file} is not a valid configuration file.\nDelete it and run login again.`)
})

test('an invalid config file is ignored by commands that do not need it, and not overwritten', async () => {
  writeFileSync(file, 'token = pat_1')
  assert.equal((await call(['--help'], { env: NO_SETTINGS })).code, 0)
  assert.equal((await call(['listen', '--help'], { env: NO_SETTINGS })).code, 0)
  assert.equal((await call(['--version'], { env: NO_SETTINGS })).code, 0)
  assert.equal((await call(['status', 'order-7'])).code, 0)
  for (const argv of [LOGIN, ['projects', '--use', projectId]]) {
    assert.match((await call(argv, { input: token })).err, /is not a valid configuration file/)
  }
  assert.equal(readFileSync(file, 'utf8'), 'token = pat_1')
})

test('with several projects, one must be chosen, and --use saves the choice', async () => {
  const { id } = await world.owner.addProject({ name: 'Pekara' })
  await call(LOGIN, { env: NO_SETTINGS, input: token })
  const withoutChoice = await call(['status', 'order-7'], { env: NO_SETTINGS })
  assert.match(withoutChoice.err, /^No project is chosen\.\nRun projects to list your projects/)
  assert.match(
    (await call(['projects', '--use', 'nosuch'], { env: NO_SETTINGS })).err,
    /^No project is chosen/,
  )
  const chosen = await call(['projects', '--use', id], { env: NO_SETTINGS })
  assert.equal(chosen.out, 'Commands now use Pekara.')
  const listed = await call(['projects'], { env: NO_SETTINGS })
  assert.match(listed.out, new RegExp(`^ {3}${projectId} .*\\n\\* {2}${id}  Pekara`))
  assert.equal((await call(['projects', '--json'], { env: NO_SETTINGS })).json()['chosen'], id)
  assert.equal((await call(['status', 'order-7'], { env: NO_SETTINGS })).code, 0)
})

test('login saves the project of PAZAR_PROJECT_ID, and a later login without settings keeps the saved project and language', async () => {
  const env = { ...NO_SETTINGS, PAZAR_PROJECT_ID: projectId }
  await call([...LOGIN, '--lang', 'cnr'], { env, input: token })
  for (const line of [[], LOGIN]) {
    if (line.length > 0) await call(line, { env: NO_SETTINGS, input: token })
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { baseUrl, token, projectId, lang: 'cnr' })
  }
  await call([...LOGIN, '--project', 'other'], { env, input: token })
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).projectId, 'other')
  // The account has two projects, and neither has the saved id `other`, so this login saves no project.
  await call(LOGIN, { env: NO_SETTINGS, input: token })
  assert.equal('projectId' in JSON.parse(readFileSync(file, 'utf8')), false)
})

test('a read-only token gets an error that names the needed scope', async () => {
  const readOnly = await makeToken(world.owner, { scope: 'read' })
  const result = await call(['trigger', 'success'], { env: { PAZAR_TOKEN: readOnly.token } })
  assert.match(
    result.err,
    /^The permission of this API token does not allow this\. Use a token with the permission that this route needs\.\nIn the portal under Account, API tokens, create a token with the permission that this command needs: “refund” for refunds, otherwise “write”\.$/,
  )
  assert.equal((await call(['projects'], { env: { PAZAR_TOKEN: readOnly.token } })).code, 0)
})

test('an unreachable address and an address that is not Pazar give different errors', async () => {
  const otherServer = await startListener()
  const env = { PAZAR_BASE_URL: `http://${otherServer.hostAndPort}` }
  otherServer.listener = (_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nginx')
  const page = await call(['projects', '--json'], { env })
  assert.equal(page.json<{ error: { code: string } }>().error.code, 'unexpected_answer')
  otherServer.listener = (_request, response) => response.end('<p>Welcome to our Wi-Fi')
  assert.match(
    (await call(['projects'], { env })).err,
    /^The response from http\S+ \(HTTP 200\) did not come from Pazar/,
  )
  otherServer.listener = (_request, response) => response.destroy()
  const unreachable = await call(['projects'], { env })
  assert.match(unreachable.err, /^The service cannot be reached at http/)
  assert.deepEqual([unreachable.code, page.code], [1, 1])
})

test('an unknown project gives an error that names the command projects', async () => {
  const result = await call(['status', 'order-7', '--project', 'tz4a98xxat96iws9zmbrgj3a'])
  assert.match(result.err, /Run projects to list the projects that this token can see\./)
})
