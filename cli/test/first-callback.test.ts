// Follows the SDK's README from an empty directory to a verified callback on localhost.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { buildCli } from '../../scripts/build-cli.ts'
import { buildSdk } from '../../scripts/build-sdk.ts'
import { install, pack } from '../../sdk/test/packed.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { startCliWorld } from './cli-world.ts'

const world = await startCliWorld()
const { service, projectId, baseUrl, token } = world
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')
const [sdk, cli] = [await pack(buildSdk), await pack(buildCli)]
const dir = await install(sdk.tarball, cli.tarball)
const port = await freePort()

test('the package of the CLI contains one file of code, and documents', () => {
  assert.deepEqual(cli.files.sort(), ['LICENSE', 'README.md', 'package.json', 'pazar-cli.js'])
})

/** Runs a line in a new shell that has the variables of the quickstart. */
function openTerminal(line: string) {
  const settings = [
    `PAZAR_BASE_URL=${baseUrl}`,
    `PAZAR_PROJECT_ID=${projectId}`,
    `PAZAR_SECRET=${secret}`,
    `PAZAR_TOKEN=${token}`,
    `PAZAR_CONFIG=${path.join(dir, 'cli.json')}`,
    `PORT=${port}`,
    `PATH="${path.dirname(process.execPath)}:$PATH"`,
    'npm_config_offline=true',
    'LANG=en',
  ]
  const script = `export ${settings.join(' ')}\n${line}`
  // npx starts further processes. The shell gets its own process group, so that all of them can be killed together.
  const child = spawn('bash', ['-c', script], { cwd: dir, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const collect = (chunk: Buffer) => void (text += chunk.toString())
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  after(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  return { output: () => text }
}

/** Connects to the shop, and closes the connection in the middle of a request's body. */
async function cutConnection(): Promise<void> {
  const socket = await until(async () => {
    const tried = net.connect(port, 'localhost')
    return once(tried, 'connect').then(
      () => tried,
      () => null,
    )
  }, 'the shop accepts connections')
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
  socket.end()
  await once(socket.resume(), 'close')
}

test('the quickstart of the README ends with a verified callback on localhost', async () => {
  const readme = readFileSync(path.join(dir, 'node_modules/@pazar/sdk/README.md'), 'utf8')
  const code = /<!-- quickstart -->\n```js\n([\s\S]*?)```/.exec(readme)?.[1]
  const run = /<!-- quickstart-run -->\n```sh\n([\s\S]*?)```/.exec(readme)?.[1]
  assert.ok(code && run)
  writeFileSync(path.join(dir, 'shop.mjs'), code)
  const [settings = '', runShop = '', listen = '', trigger = ''] = run
    .replaceAll('4000', String(port))
    .split('\n')
  assert.match(
    settings,
    /^export PAZAR_BASE_URL=\S+ PAZAR_PROJECT_ID=… PAZAR_SECRET=sk_test_… PAZAR_TOKEN=pat_…$/,
  )

  const shop = openTerminal(runShop)
  await until(
    () => /^Pay 15,00 €: http\S+&mode=test&sig=\S+$/m.test(shop.output()),
    `the shop is up: ${shop.output()}`,
  )
  await cutConnection()
  await until(() => shop.output().includes('refused: bad_signature'), 'the shop is still up')
  const listening = openTerminal(listen)
  await until(() => listening.output().includes('Test callbacks of'), 'listen is connected')
  const triggered = openTerminal(trigger)
  await until(() => triggered.output().includes('was forwarded to the CLI'), 'trigger is done')
  await until(() => shop.output().includes('order-7: success'), 'the shop has verified the callback')
  await until(
    () => /→ payment\.result {2}order-7 {2}\[200\] \d+ ms/.test(listening.output()),
    'listen shows the callback',
  )

  const refused = openTerminal(trigger.replace('1500', '1'))
  await until(
    () => refused.output() !== '' && shop.output().includes('refused: amount_mismatch'),
    'another amount is refused',
  )

  const sample = /^## In your tests\n\n```ts\n([\s\S]*?)```/m.exec(readme)?.[1]
  assert.ok(sample)
  const lines = [
    "import { signTestCallback } from '@pazar/sdk'",
    'const { PAZAR_PROJECT_ID: projectId, PAZAR_SECRET: secret } = process.env',
    sample.replaceAll('4000', String(port)),
    'console.log(`answered ${answer.status}`)',
  ]
  writeFileSync(path.join(dir, 'sample.mjs'), lines.join('\n'))
  const sampled = openTerminal('node sample.mjs')
  await until(() => /answered \d+/.test(sampled.output()), 'the sample for tests gets a response')
  assert.match(sampled.output(), /^answered 200$/m)
})
