// Runs the example from every command's help against a real service.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { signTestCallback } from '@pazar/sdk'
import { createShop } from '../../examples/shop/src/shop.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { startListener } from '../../server/test/exam/listener.ts'
import { payFor } from '../../server/test/refunds.ts'
import { makeToken } from '../../server/test/api-tokens.ts'
import { until } from '../../server/test/until.ts'
import { runLine, startCli, startCliWorld } from '../test/cli-world.ts'
import type { CliResult } from '../test/cli-world.ts'
import { COMMANDS } from './commands.ts'
import type { CommandName } from './words.ts'

const shop = await startListener()
const world = await startCliWorld({ CALLBACK_ALLOW_HOSTS: shop.hostAndPort }, { apiUrl: shop.url })
const { service, projectId, dir, env, call } = world
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')
const sample = createShop({ payBaseUrl: 'https://pay.example.me', projectId, secret, nowMs: Date.now })
shop.listener = sample

/**
 * Reads the example from the help. The sample addresses in the example are replaced by the addresses of this test, and each
 * key of `changes` by its value.
 */
async function readExample(name: CommandName, changes: Record<string, string> = {}): Promise<string> {
  const help = await call([...name.split(' '), '--help'])
  assert.equal(help.code, 0)
  let line = /^Example\n {2}(.+)$/m.exec(help.out)?.[1] ?? ''
  assert.match(line, new RegExp(`^pazar-cli ${name}(?: |$)`), help.out)
  const replacements = {
    'https://pay.example.me': world.baseUrl,
    'http://localhost:4000/callback': shop.url,
    ...changes,
  }
  for (const [shown, real] of Object.entries(replacements)) line = line.replace(shown, real)
  return line
}

async function runExample(name: CommandName, changes?: Record<string, string>): Promise<CliResult> {
  const result = await runLine(await readExample(name, changes), dir, env)
  assert.equal(result.code, 0, `${result.out}\n${result.err}`)
  return result
}

async function startListening() {
  const words = (await readExample('listen')).split(' ').slice(1)
  const listening = startCli(words, env)
  await until(() => listening.err().includes('Test callbacks of'))
  return listening
}

const runExamples: Record<CommandName, () => Promise<void>> = {
  async login() {
    writeFileSync(path.join(dir, 'token.txt'), `${world.token}\n`)
    const config = path.join(dir, 'own.json')
    const ownEnv = { LANG: 'en', PAZAR_CONFIG: config }
    const result = await runLine(await readExample('login'), dir, ownEnv)
    assert.match(result.out, /^Signed in to /, result.err)
    assert.match(readFileSync(config, 'utf8'), /"token": "pat_/)
  },
  async projects() {
    assert.match((await runExample('projects')).out, new RegExp(`^\\*  ${projectId}  Knjižara Šćepan`))
  },
  async listen() {
    const listening = await startListening()
    assert.equal((await call(['trigger', 'success', '--custom-id', 'exam-1'])).code, 0)
    await until(() => /payment\.result {2}exam-1 {2}\[200\]/.test(listening.out()))
    listening.child.kill('SIGINT')
    assert.equal((await listening.ended).code, 130)
  },
  async trigger() {
    const listening = await startListening()
    assert.match((await runExample('trigger')).out, /was forwarded to the CLI/)
    await until(() => listening.out().includes('order-7'))
    listening.child.kill('SIGINT')
    await listening.ended
  },
  async 'deliveries list'() {
    await call(['trigger', 'success', '--to', 'url', '--custom-id', 'exam-2'])
    assert.match((await runExample('deliveries list')).out, /exam-2 +Delivered +\[200\]/)
  },
  async 'deliveries resend'() {
    const sent = await call(['trigger', 'success', '--to', 'url', '--custom-id', 'exam-3', '--json'])
    const { id } = sent.json<{ callback: { id: string } }>().callback
    const result = await runExample('deliveries resend', { msg_019a8f0e6b1c7c3e9a512f60d4b8e913: id })
    assert.equal(result.out, `${id} will be sent again now.`)
  },
  async status() {
    assert.equal((await runExample('status')).out, 'order-7: not paid (no payment with this order ID)')
  },
  async events() {
    await payFor(service.deps, projectId, { mode: 'test', customId: 'exam-4' })
    assert.match((await runExample('events')).out, /payment\.result +test +exam-4 +€15\.00 +Successful$/m)
  },
  async refund() {
    const { id } = await payFor(service.deps, projectId, { mode: 'test' })
    const { token } = await makeToken(world.owner, { scope: 'refund', projectId, dailyCap: '5000' })
    const line = await readExample('refund', { '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913': id })
    const result = await runLine(line, dir, { ...env, PAZAR_TOKEN: token })
    assert.match(result.out, /^re_[0-9a-f]{32}: €5\.00 refunded$/, result.err)
  },
  async link() {
    assert.match(
      (await runExample('link')).out,
      /\/pay\?amount=1500&project=\w+&data=Order%207&.*&mode=test&sig=/,
    )
  },
  async qr() {
    assert.equal((await runExample('qr')).out, 'Saved as order-7.svg.')
    assert.match(readFileSync(path.join(dir, 'order-7.svg'), 'utf8'), /^<svg /)
  },
  async verify() {
    const { body, headers } = signTestCallback({ secret, projectId })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    writeFileSync(path.join(dir, 'request.txt'), [...lines, '', body].join('\n'))
    assert.match((await runExample('verify')).out, /^The signature is valid/)
  },
  async exam() {
    // With `?here`, the address is not the project's live URL. An exam of the live URL would need confirmation.
    const changes = { 'http://localhost:4000/callback': `${shop.url}?here` }
    assert.match((await runExample('exam', changes)).out, /12 of 12 passed\.$/)
  },
  async ask() {
    const { out } = await runExample('ask')
    assert.match(out, /^From “Callbacks › Verify the signature”:/)
    assert.match(out, /^Sources:\n.*\/en\/docs\/callbacks#verify-the-signature$/m)
  },
  async open() {
    const result = await runExample('open')
    assert.equal(result.out, `${world.baseUrl}/en/projects/${projectId}/deliveries`)
  },
}

for (const { name } of COMMANDS) {
  test(`the example in the help of ${name} works`, () => runExamples[name]())
}

test('every option has its text in both languages', async () => {
  for (const { name, options } of COMMANDS) {
    for (const lang of ['en', 'cnr']) {
      const { out } = await call([...name.split(' '), '--help', '--lang', lang])
      for (const option of Object.keys(options))
        assert.match(out, new RegExp(`^ {2}--${option}.* {2}\\S`, 'm'))
    }
  }
})
