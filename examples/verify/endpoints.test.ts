// The complete endpoints that the guide shows, tested with the real exam.
// Why this is long: it tests the endpoints of all languages.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { signTestCallback } from '@pazar/sdk'
import { cutSample } from '@pazar/words'
import type { SampleLanguage } from '@pazar/words'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { signUp } from '../../server/test/client.ts'
import { startTestService } from '../../server/test/harness.ts'
import { runShare } from '../../server/test/counts.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { ensureInstalled, hasCommands } from './tools.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)
// The project receives every event.
const { id } = await owner.addProject({ events: [...CALLBACK_EVENTS] })
const exam = `/portal/api/projects/${id}/exam`
const SECRET = await readSecret(deps, deps.db, id, 'test')
const NEXT_SECRET = `sk_test_${'n'.repeat(43)}`
const WRONG_SECRET = `sk_test_${'x'.repeat(43)}`

interface Endpoint {
  language: string
  folder: string
  ending: string
  tool: SampleLanguage
  /** Compiles both files. Without `isBuiltFast`, only `npm run prove` runs this command. */
  build?: [string, ...string[]]
  isBuiltFast?: true
  command: (port: number) => [string, ...string[]]
  /** The endpoint responds with 413 to a long body before it reads the body. Other endpoints read only a part of the body. */
  refusesLongBodies?: true
  /** The start of the line that stores a new callback, and an additional line that makes storing FAIL_ID fail. */
  storing: readonly [storingLine: string, failingLine: string]
}

/** A `webhook-id` for which storing fails. */
const FAIL_ID = 'msg_storage_fails'

const GO_BUILD = hasCommands(['go']) ? (['go', 'build'] as const) : (['gccgo'] as const)

const ENDPOINTS: readonly Endpoint[] = [
  {
    language: 'PHP',
    folder: 'php',
    ending: 'php',
    tool: 'php',
    // Without a php.ini, PHP works like this: it writes errors into the response and does not set the status 500.
    command: (port) => ['php', '-d', 'display_errors=1', '-S', `localhost:${port}`, 'callback.php'],
    storing: [
      '    if (file_put_contents("$file.new"',
      // A path below a file, so that nothing can be written.
      `if ($headers['webhook-id'] === '${FAIL_ID}') $file = __FILE__ . '/orders.json';`,
    ],
  },
  {
    language: 'Python',
    folder: 'python',
    ending: 'py',
    tool: 'python',
    refusesLongBodies: true,
    command: (port) => ['python3', 'callback.py', String(port)],
    storing: [
      "    if db.execute('insert or ignore into seen",
      `    if headers['webhook-id'] == '${FAIL_ID}': raise OSError('no disk')`,
    ],
  },
  {
    language: 'TypeScript',
    folder: 'typescript',
    ending: 'ts',
    tool: 'typescript',
    refusesLongBodies: true,
    command: (port) => [process.execPath, 'callback.ts', String(port)],
    storing: ['    writeFileSync(', `if (webhookId === '${FAIL_ID}') throw new Error('no disk')`],
  },
  {
    language: 'Ruby',
    folder: 'ruby',
    ending: 'rb',
    tool: 'ruby',
    refusesLongBodies: true,
    command: (port) => ['ruby', 'callback.rb', String(port)],
    storing: [
      "    shop[:seen][headers['webhook-id']] = true",
      `raise 'no disk' if headers['webhook-id'] == '${FAIL_ID}'`,
    ],
  },
  {
    language: 'Go',
    folder: 'go',
    ending: 'go',
    tool: 'go',
    build: [...GO_BUILD, '-o', 'callback', 'verify.go', 'callback.go'],
    command: (port) => ['./callback', String(port)],
    storing: ['\t\tseen[id] = true', `if id == "${FAIL_ID}" { panic("no disk") }`],
  },
  {
    language: 'Java',
    folder: 'java',
    ending: 'java',
    tool: 'java',
    build: ['javac', '-d', '.', 'verify.java', 'callback.java'],
    command: (port) => ['java', '-cp', '.', 'Callback', String(port)],
    storing: [
      '        if (seen.add(',
      `if ("${FAIL_ID}".equals(headers.getFirst("webhook-id"))) throw new IllegalStateException();`,
    ],
  },
  {
    language: 'C#',
    folder: 'csharp',
    ending: 'cs',
    tool: 'csharp',
    build: [
      'mcs',
      '-nologo',
      '-r:System.Runtime.Serialization',
      '-out:callback.exe',
      'verify.cs',
      'callback.cs',
    ],
    isBuiltFast: true,
    command: (port) => ['mono', 'callback.exe', String(port)],
    storing: [
      '        if (seen.Add(',
      `if (headers["webhook-id"] == "${FAIL_ID}") throw new IOException("no disk");`,
    ],
  },
]

/** Writes the shown part of `verify` and the endpoint with the failing line into a folder, and starts the endpoint. */
async function start({ folder, ending, build, command, storing: [storingLine, failingLine] }: Endpoint) {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-endpoint-'))
  const from = path.join(import.meta.dirname, folder)
  const verify = cutSample(readFileSync(path.join(from, `verify.${ending}`), 'utf8'))
  writeFileSync(path.join(dir, `verify.${ending}`), verify)
  const endpoint = readFileSync(path.join(from, `callback.${ending}`), 'utf8')
  assert.equal(endpoint.split(storingLine).length, 2, `${folder}: the line that stores a callback`)
  writeFileSync(
    path.join(dir, `callback.${ending}`),
    endpoint.replace(storingLine, () => `${failingLine}\n${storingLine}`),
  )
  if (build) execFileSync(build[0], build.slice(1), { cwd: dir, stdio: 'ignore' })
  const port = await freePort()
  const [program, ...args] = command(port)
  const secrets = { PAZAR_SECRET: SECRET, PAZAR_NEXT_SECRET: NEXT_SECRET }
  const child = spawn(program, args, { cwd: dir, env: { ...process.env, ...secrets } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  after(() => {
    child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })
  const url = `http://localhost:${port}`
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    'the endpoint listens',
  )
  return { url, output: () => output }
}

async function send(url: string, secret: string, id: string, failureCode?: string): Promise<number> {
  const result = failureCode === undefined ? {} : { status: 'fail' as const, failureCode }
  const { headers, body } = signTestCallback({ secret, id, customId: 'order-7', amount: '1500', ...result })
  return (await fetch(url, { method: 'POST', headers: { ...headers }, body })).status
}

/** Opens a connection that sends the headers of a callback but no body. */
async function stall(url: string, bytes = 100): Promise<Socket> {
  const { port } = new URL(url)
  const socket = connect({ host: 'localhost', port: Number(port) })
  after(() => socket.destroy())
  socket.on('error', () => {}) // The endpoint may reset the connection.
  socket.resume()
  const head = `POST / HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: ${bytes}\r\n\r\n`
  await new Promise<void>((resolve) => socket.write(head, () => resolve()))
  return socket
}

/** Sends headers that announce a long body, and returns the start of the response. */
async function announceLongBody(url: string): Promise<string> {
  const socket = await stall(url, 2_000_000)
  const [start] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return start.toString()
}

/** Sends two callbacks while another sender stalls. False if the stalled connection ended too early. */
async function acceptsWhileStalled(url: string): Promise<boolean> {
  const socket = await stall(url)
  const statuses = [await send(url, SECRET, 'msg_meanwhile'), await send(url, SECRET, 'msg_meanwhile')]
  assert.deepEqual(statuses, [200, 200])
  const isStalled = !socket.destroyed && !socket.readableEnded
  socket.destroy()
  return isStalled
}

test('the endpoints are short enough for a page of the guide', () => {
  for (const { language, folder, ending } of ENDPOINTS) {
    const text = readFileSync(path.join(import.meta.dirname, folder, `callback.${ending}`), 'utf8')
    const lines = text.split('\n')
    assert.ok(lines.length <= 115 && lines.every((line) => line.length <= 110), language)
  }
})

for (const endpoint of ENDPOINTS) {
  const isTooSlow = endpoint.build !== undefined && !endpoint.isBuiltFast && runShare !== 'prove'
  const skip = isTooSlow ? 'compiled by npm run prove only' : (ensureInstalled(endpoint.tool) ?? false)
  test(
    `${endpoint.language}: the endpoint passes the exam, accepts both secrets, and fails if storing fails`,
    { skip },
    async () => {
      const { url, output } = await start(endpoint)
      const { requests } = (await owner.post(exam, { deliver: 'caller' })).json<ExamRequests>()
      const answers: object[] = []
      for (const { name, headers, body } of requests) {
        const response = await fetch(url, { method: 'POST', headers, body })
        const text = (await response.text()).slice(0, 500)
        answers.push({ name, statusCode: response.status, durationMs: 1, body: text })
      }
      const report = (await owner.post(exam, { deliver: 'caller', answers })).json<ExamReport>()
      assert.deepEqual(
        report.scenarios.filter(({ passed }) => !passed),
        [],
      )
      // Eleven scenarios about payments, six about the other events, and in_time.
      assert.equal(report.passed, 18)
      const statuses = [
        await send(url, NEXT_SECRET, 'msg_next'),
        await send(url, WRONG_SECRET, 'msg_neither'),
        await send(url, SECRET, 'msg_current'),
      ]
      assert.deepEqual(statuses, [200, 400, 200])
      // Without a 2xx, the callback is sent again. The second attempt must not be acknowledged either.
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const failed = await send(url, SECRET, FAIL_ID).catch(() => 'no response')
        assert.ok(failed === 'no response' || Number(failed) >= 500, `attempt ${attempt}: ${failed}`)
        // After a 500, the callback log says that the server failed.
        if (endpoint.language === 'Java') assert.equal(failed, 500)
      }
      assert.equal(await send(url, SECRET, 'msg_unpaid', 'resolved_unpaid'), 200)
      await until(() => output().includes('order-7: stop the shipment'), 'the endpoint prints the warning')
      await until(() => output().includes('order-7: paid'), 'the endpoint prints what happened to the order')
      await until(() => output().includes('refused: bad_signature'), 'the endpoint prints why it refused')
      if (endpoint.refusesLongBodies) assert.match(await announceLongBody(url), /^HTTP\/1\.[01] 413 /)
      await until(() => acceptsWhileStalled(url), 'a stalled sender does not stop other callbacks')
    },
  )
}
