// The complete endpoints that the guide shows, run as a merchant would run them, and tested with the real exam.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { cutSample } from '@pazar/words'
import type { SampleLanguage } from '@pazar/words'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { signUp } from '../../server/test/client.ts'
import { startTestService } from '../../server/test/harness.ts'
import { share } from '../../server/test/counts.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { findLack } from './tools.ts'

const { app, deps } = await startTestService()
const owner = await signUp(app)
// The project receives every event. A project that receives payments alone gets only a part of these requests.
const { id } = await owner.addProject({ events: [...CALLBACK_EVENTS] })
const exam = `/portal/api/projects/${id}/exam`

interface Endpoint {
  language: string
  folder: string
  ending: string
  /** What a separate file needs before the page's code. */
  head: string
  tool: SampleLanguage
  /** Compiles both files; only `npm run prove` takes that long. */
  build?: [string, ...string[]]
  command: (port: number) => [string, ...string[]]
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    language: 'PHP',
    folder: 'php',
    ending: 'php',
    head: '<?php\n',
    tool: 'php',
    command: (port) => ['php', '-S', `localhost:${port}`, 'callback.php'],
  },
  {
    language: 'Python',
    folder: 'python',
    ending: 'py',
    head: '',
    tool: 'python',
    command: (port) => ['python3', 'callback.py', String(port)],
  },
  {
    language: 'TypeScript',
    folder: 'typescript',
    ending: 'ts',
    head: '',
    tool: 'typescript',
    command: (port) => [process.execPath, 'callback.ts', String(port)],
  },
  {
    language: 'Ruby',
    folder: 'ruby',
    ending: 'rb',
    head: '',
    tool: 'ruby',
    command: (port) => ['ruby', 'callback.rb', String(port)],
  },
  {
    language: 'Go',
    folder: 'go',
    ending: 'go',
    head: 'package main\n',
    tool: 'go',
    build: ['gccgo', '-o', 'callback', 'verify.go', 'callback.go'],
    command: (port) => ['./callback', String(port)],
  },
  {
    language: 'Java',
    folder: 'java',
    ending: 'java',
    head: '',
    tool: 'java',
    build: ['javac', '-d', '.', 'verify.java', 'callback.java'],
    command: (port) => ['java', '-cp', '.', 'Callback', String(port)],
  },
]

/** The two files of a reader: the part of `verify` that the page shows, and the endpoint. */
async function start({ folder, ending, head, build, command }: Endpoint): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-endpoint-'))
  const from = path.join(import.meta.dirname, folder)
  const verify = cutSample(readFileSync(path.join(from, `verify.${ending}`), 'utf8'))
  writeFileSync(path.join(dir, `verify.${ending}`), head + verify)
  copyFileSync(path.join(from, `callback.${ending}`), path.join(dir, `callback.${ending}`))
  if (build) execFileSync(build[0], build.slice(1), { cwd: dir, stdio: 'ignore' })
  const port = await freePort()
  const [program, ...args] = command(port)
  const PAZAR_SECRET = await readSecret(deps, deps.db, id, 'test')
  const child = spawn(program, args, { cwd: dir, env: { ...process.env, PAZAR_SECRET }, stdio: 'ignore' })
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
    'it is open',
  )
  return url
}

test('the endpoints fit on a page', () => {
  for (const { language, folder, ending } of ENDPOINTS) {
    const text = readFileSync(path.join(import.meta.dirname, folder, `callback.${ending}`), 'utf8')
    const lines = text.split('\n')
    assert.ok(lines.length <= 60 && lines.every((line) => line.length <= 110), language)
  }
})

for (const endpoint of ENDPOINTS) {
  const isTooSlow = endpoint.build !== undefined && share !== 'prove'
  const skip = isTooSlow ? 'compiled by npm run prove only' : (findLack(endpoint.tool) ?? false)
  test(`${endpoint.language}: the whole endpoint passes the exam`, { skip }, async () => {
    const url = await start(endpoint)
    const { requests } = (await owner.post(exam, { deliver: 'caller' })).json<ExamRequests>()
    const answers: object[] = []
    for (const { name, headers, body } of requests) {
      const got = await fetch(url, { method: 'POST', headers, body })
      answers.push({ name, statusCode: got.status, durationMs: 1, body: (await got.text()).slice(0, 500) })
    }
    const report = (await owner.post(exam, { deliver: 'caller', answers })).json<ExamReport>()
    assert.deepEqual(
      report.scenarios.filter(({ passed }) => !passed),
      [],
    )
    assert.equal(report.passed, 18)
  })
}
