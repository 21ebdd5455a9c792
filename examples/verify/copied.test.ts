// Runs samples as the portal and the guide show them. `sign` and `check` are run with the command in their comments.
import assert from 'node:assert/strict'
import { exec } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { cutSample, ENDPOINT_COMMANDS, fillSample, SAMPLE_LANGUAGES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'
import { runShare } from '../../server/test/counts.ts'
import { startTestService } from '../../server/test/harness.ts'
import { addPayProject, Payer, toLink } from '../../server/test/payer.ts'
import { ensureInstalled, hasCommands } from './tools.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const { app, deps } = await startTestService()
await app.listen({ port: 0, host: '127.0.0.1' })
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const shop = await addPayProject(deps)
await new Payer(app).pay(toLink(shop, { customId: 'order-7', amount: '1500', mode: 'test', signed: true }))
const env = { ...process.env, PAZAR_SECRET: shop.secrets.test }

/** Go needs the command `go` here, because `go run` does not work with gccgo. */
function findReason(id: SampleLanguage): string | null {
  return ensureInstalled(id) ?? (id === 'go' && !hasCommands(['go']) ? 'not installed: go' : null)
}

const readPart = (id: SampleLanguage, name: SampleName | 'callback') => {
  const text = readFileSync(path.join(ROOT, toSamplePath(id, name)), 'utf8')
  return name === 'callback' ? text : cutSample(text)
}

const COMMAND = /: ((?:node|php|python3|mcs|java|go|ruby|bash) .*(?:sign|check)\.\w+)(?:\. In | \*\/|$)/m
/** The commented lines that the reader of a sample adds at the end of the code. */
const ADDED_LINES = /add this at the end.*\n((?:(?:\/\/|#) .*\n)+)/

function toProgram(id: SampleLanguage, name: SampleName): { code: string; command: string } {
  const code = fillSample(readPart(id, name), { baseUrl, projectId: shop.id })
  const added = ADDED_LINES.exec(code)?.[1] ?? ''
  const command = COMMAND.exec(code)?.[1]
  assert.ok(command, `${id}: ${name} says how it is run`)
  return { code: `${code}\n${added.replaceAll(/^(?:\/\/|#) /gm, '')}`, command }
}

async function runCopied(id: SampleLanguage, name: SampleName): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-copied-'))
  try {
    const { code, command } = toProgram(id, name)
    writeFileSync(path.join(dir, path.basename(toSamplePath(id, name))), code)
    return (await promisify(exec)(command, { cwd: dir, env })).stdout.trim()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Compiling an HTTP client takes long in these languages, so only `npm run prove` runs their sample `check`. */
const SLOW: readonly SampleLanguage[] = ['go', 'java']

for (const { id, name } of SAMPLE_LANGUAGES) {
  const skip = findReason(id) ?? false
  test(`${name}: the copied code prints a link that the service accepts`, { skip }, async () => {
    const link = await runCopied(id, 'sign')
    assert.match(link, /&data=Espresso&customId=order-7&mode=test&/)
    assert.ok(link.startsWith(`${baseUrl}/pay?amount=1500&project=${shop.id}&`), link)
    assert.equal((await fetch(link)).status, 200)
  })

  test(
    `${name}: the copied code prints that a paid order was paid`,
    { skip: skip || (SLOW.includes(id) && runShare === 'ci' && 'only in npm run prove') },
    async () => assert.match(await runCopied(id, 'check'), /^true( <nil>)?$/i),
  )
}

const goReason = findReason('go') ?? false
test(
  'Go: sign.go and check.go in the folder of the server are not compiled with the server',
  { skip: goReason },
  async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'pazar-copied-'))
    try {
      for (const name of ['sign', 'check', 'verify', 'callback'] as const)
        writeFileSync(path.join(dir, `${name}.go`), readPart('go', name))
      writeFileSync(path.join(dir, 'go.mod'), 'module shop\n')
      const { stdout } = await promisify(exec)("go list -f '{{.GoFiles}} {{.IgnoredGoFiles}}'", { cwd: dir })
      assert.equal(stdout.trim(), '[callback.go verify.go] [check.go sign.go]')
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
)

// PHP is left out, because its endpoint has no start of its own: it runs once per request. Go and Java are left out, because
// they take long to compile.
for (const id of ['typescript', 'python', 'csharp', 'ruby'] as const) {
  const skip = findReason(id) ?? false
  test(`${id}: without a secret the complete endpoint does not start, and says why`, { skip }, async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'pazar-copied-'))
    try {
      for (const name of ['verify', 'callback'] as const)
        writeFileSync(path.join(dir, path.basename(toSamplePath(id, name))), readPart(id, name))
      const command = ENDPOINT_COMMANDS[id]!.replace(/^.*# Mono: /s, '')
      const options = { cwd: dir, env: { ...process.env, PAZAR_SECRET: '', PAZAR_NEXT_SECRET: '' } }
      await assert.rejects(
        promisify(exec)(command, options),
        /Set PAZAR_SECRET to the secret of your project/,
      )
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
