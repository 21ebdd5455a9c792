// Starts the sample shop, with settings from the environment.
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createShop } from './shop.ts'

const host = process.env['HOST'] || '127.0.0.1'
const port = Number(requireSetting('PORT', 'the port to listen on, or 0 for any free one'))
const payBaseUrl = requireSetting(
  'PAZAR_BASE_URL',
  'the address of the service, such as http://localhost:3000',
)
const projectId = requireSetting('PAZAR_PROJECT_ID', 'the id of your project')
const secret = requireSetting('PAZAR_SECRET', 'the secret of your project, sk_live_… or sk_test_…')
// During a rotation, the secret that will replace PAZAR_SECRET.
const nextSecret = process.env['PAZAR_NEXT_SECRET'] || undefined
// For a shop that sells in live mode and also accepts test callbacks.
const testSecret = process.env['PAZAR_TEST_SECRET'] || undefined
const mode = /^sk_(live|test)_/.exec(secret)?.[1]

if (!Number.isInteger(port) || port < 0 || port > 65_535)
  exitWith('PORT must be a whole number from 0 to 65535.')
if (mode === undefined) exitWith('PAZAR_SECRET must begin with sk_live_ or sk_test_.')
if ((process.env['PAZAR_MODE'] || mode) !== mode)
  exitWith(`PAZAR_MODE must be ${mode}, because PAZAR_SECRET is a ${mode} secret.`)

const server = createServer(openShop())
server.once('error', (error) =>
  exitWith(`The shop cannot listen on ${host}, port ${port}: ${error.message}.`),
)
server.listen(port, host, () => {
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  console.log(`shop ready at http://localhost:${actualPort}`)
})

// An immediate exit loses no callback, because Pazar repeats a callback that got no response.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
if (process.env['SHOP_EXIT_WITH_PARENT'] === '1') {
  // A parent process that is killed sends no signal, but then our stdin ends.
  for (const event of ['end', 'error']) process.stdin.once(event, () => process.exit(0))
  process.stdin.resume()
}

function openShop(): RequestListener {
  try {
    const secrets = nextSecret === undefined ? secret : [secret, nextSecret]
    return createShop({ payBaseUrl, projectId, secret: secrets, testSecret, nowMs: Date.now })
  } catch (error) {
    return exitWith(
      `No pay link can be made with these settings: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function requireSetting(name: string, meaning: string): string {
  return process.env[name] || exitWith(`${name} is missing: set it to ${meaning}.`)
}

function exitWith(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
