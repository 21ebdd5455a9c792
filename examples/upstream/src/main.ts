// Starts the reference upstream, with settings from the environment.
import { createServer } from 'node:http'
import { openLedger } from './ledger.ts'
import { createUpstream } from './upstream.ts'

const SECRET_BYTES_MIN = 32

const host = process.env['HOST'] || '127.0.0.1'
const port = Number(requireSetting('PORT', 'the port to listen on, or 0 for any free one'))
const secret = requireSetting('BACKEND_SECRET', 'the secret that Pazar has in the setting of the same name')
const ledgerFile = requireSetting('LEDGER_FILE', 'the file in which the ledger is stored')
const webhookUrl = process.env['WEBHOOK_URL'] || null
const money = {
  currency: process.env['CURRENCY'] || 'EUR',
  scale: Number(process.env['AMOUNT_SCALE'] || '2'),
}

if (!Number.isInteger(port) || port < 0 || port > 65_535)
  exitWith('PORT must be a whole number from 0 to 65535.')
if (Buffer.byteLength(secret) < SECRET_BYTES_MIN)
  exitWith(`BACKEND_SECRET must have at least ${SECRET_BYTES_MIN} bytes.`)
if (!/^[A-Z]{3}$/.test(money.currency)) exitWith('CURRENCY must be three capital letters such as EUR.')
if (!Number.isInteger(money.scale) || money.scale < 0 || money.scale > 4)
  exitWith('AMOUNT_SCALE must be a whole number from 0 to 4.')
if (webhookUrl !== null && !URL.canParse(webhookUrl)) exitWith('WEBHOOK_URL must be an address.')

let publicUrl = ''
const ledger = openLedger(ledgerFile, Date.now)
const server = createServer(
  createUpstream({ ledger, secret, webhookUrl, publicUrl: () => publicUrl, nowMs: Date.now, money }),
)
server.once('error', (error) =>
  exitWith(`The upstream cannot listen on ${host}, port ${port}: ${error.message}.`),
)
server.listen(port, host, () => {
  const address = server.address()
  publicUrl = `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`
  console.log(`upstream ready at ${publicUrl}`)
})

// An immediate exit loses no acknowledged change, because the change is in the file.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
if (process.env['UPSTREAM_EXIT_WITH_PARENT'] === '1') {
  // A killed parent sends no signal, but its end of our stdin closes.
  for (const event of ['end', 'error']) process.stdin.once(event, () => process.exit(0))
  process.stdin.resume()
}

function requireSetting(name: string, meaning: string): string {
  return process.env[name] || exitWith(`${name} is missing: set it to ${meaning}.`)
}

function exitWith(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
