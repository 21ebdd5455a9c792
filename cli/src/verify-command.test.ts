import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { signTestCallback } from '@pazar/sdk'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { startCliWorld } from '../test/cli-world.ts'

const { call, projectId, dir, service } = await startCliWorld()
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')

function writeRequest(change: (body: string) => string = (body) => body) {
  const { body, headers } = signTestCallback({ secret, projectId, customId: 'narudžba-7' })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const file = path.join(dir, 'request.txt')
  writeFileSync(file, `POST /callback HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${change(body)}`)
  return { file, lines, body: change(body) }
}

test('verify accepts a valid request from a file, with --header, and from standard input', async () => {
  const { file, lines, body } = writeRequest()
  assert.deepEqual((await call(['verify', '--file', file])).code, 0)
  const bodyFile = path.join(dir, 'body.json')
  writeFileSync(bodyFile, body)
  const headers = lines.flatMap((line) => ['--header', line])
  const result = await call(['verify', '--file', bodyFile, ...headers])
  assert.equal(
    result.out,
    'The signature is valid, and a server would accept this request now.\nThe body is payment.result: the result of a payment.',
  )
  assert.equal((await call(['verify', '--file', '-', ...headers], { input: body })).code, 0)
  const more = await call(['verify', '--file', file, '--header', 'constructor: x'])
  assert.equal(more.code, 0, more.err)
})

test('verify names the part of a request that does not match, and exits with 1', async () => {
  const { file } = writeRequest((body) => JSON.stringify(JSON.parse(body), null, 2))
  const rewritten = await call(['verify', '--file', file, '--json'])
  assert.deepEqual(rewritten.json<{ matches: boolean }>().matches, false)
  assert.deepEqual(
    rewritten.json<{ problems: { code: string }[] }>().problems.map(({ code }) => code),
    ['body_rewritten'],
  )
  const live = await call(['verify', '--file', writeRequest().file, '--mode', 'live'])
  assert.ok(live.out.split('\n').length >= 2)
  assert.deepEqual([rewritten.code, live.code], [1, 1])
  for (const { out } of [rewritten, live]) assert.equal(out.includes(secret), false)
})

test('verify reports missing headers, a missing file, and bytes that are not text', async () => {
  const file = path.join(dir, 'bytes.json')
  writeFileSync(file, '{}')
  const bodyOnly = await call(['verify', '--file', file])
  assert.match(bodyOnly.err, /^The file contains only a body.*\nGive each header with --header/)
  assert.equal(bodyOnly.code, 2)
  assert.match((await call(['verify', '--file', path.join(dir, 'none')])).err, /none cannot be read\./)
  writeFileSync(file, new Uint8Array([0x7b, 0xff, 0x7d]))
  assert.match((await call(['verify', '--file', file])).err, /^The body is not UTF-8/)
  const input = new Uint8Array([0x7b, 0xff, 0x7d])
  assert.match((await call(['verify', '--file', '-'], { input })).err, /^The body is not UTF-8/)
})
