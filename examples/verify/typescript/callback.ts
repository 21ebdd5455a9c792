// The server that Pazar calls. Needs Node 22.18 or newer, and verify.ts in the same folder.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Refused, stateAfter, verifyCallback } from './verify.ts'
import type { Callback } from './verify.ts'

// Your orders, here in a file. With a database: one transaction, and webhook-id under a unique key.
const FILE = process.env['ORDERS_FILE'] ?? 'orders.json'

// The current secret, and during a rotation the next one too.
const SECRETS = [process.env['PAZAR_SECRET'] ?? '', process.env['PAZAR_NEXT_SECRET'] ?? ''].filter(Boolean)
if (SECRETS.length === 0) throw new Error('Set PAZAR_SECRET to the secret of your project.')

interface Shop {
  seen: string[]
  orders: Record<string, { cents: number; state: string }>
  refunds: Record<string, { order: string; status: string; cents: string }>
}

let shop: Shop = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as Shop)
  : { seen: [], orders: { 'order-7': { cents: 1500, state: 'open' } }, refunds: {} }

function priceOf({ mode, customId = '' }: Callback): number | null {
  // Test callbacks of the portal and the exam use their own orders.
  const isTest = mode === 'test' && /^(test|exam)-/.test(customId)
  if (isTest) shop.orders[customId] ??= { cents: 1500, state: 'open' }
  return shop.orders[customId]?.cents ?? null // null: an order that is not ours
}

async function take(body: Buffer, headers: IncomingHttpHeaders): Promise<object> {
  const callback = await verifyCallback(body, headers, SECRETS, priceOf)
  const { customId = '', event, refundId, refundStatus, amount, failureCode } = callback
  const webhookId = String(headers['webhook-id'])
  const changed = structuredClone(shop)
  // A refund or a dispute may come before the payment's own callback.
  const order = changed.orders[customId]
  // A repeated callback changes nothing.
  if (!changed.seen.includes(webhookId)) {
    changed.seen.push(webhookId)
    if (order) order.state = stateAfter(order.state, callback)
    // Save disputes in the same way. The status `returned` is final, in any order of callbacks.
    if (event === 'refund.result' && refundId && changed.refunds[refundId]?.status !== 'returned')
      changed.refunds[refundId] = { order: customId, status: refundStatus ?? '', cents: amount }
    writeFileSync(`${FILE}.new`, JSON.stringify(changed))
    renameSync(`${FILE}.new`, FILE)
    shop = changed // Only now: if saving fails, Pazar sends the callback again.
  }
  console.log(`${customId}: ${order?.state ?? 'unknown'}`)
  if (failureCode === 'resolved_unpaid' && order?.state === 'paid')
    console.log(`${customId}: stop the shipment and check the order`)
  return { paid: order?.state === 'paid' } // For the exam; 200 is enough for Pazar.
}

/** A callback is much shorter. */
const BODY_BYTES_MAX = 1_000_000

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Anybody can send a body that would fill the memory.
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX))
    return void response.writeHead(413, { connection: 'close' }).end()
  try {
    const answer = await take(await buffer(request), request.headers)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  } catch (error) {
    // Any other error is our own fault. After the status 500, Pazar tries again.
    const isRefused = error instanceof Refused
    console.log(isRefused ? `refused: ${error.message}` : error)
    response.writeHead(isRefused ? 400 : 500).end(isRefused ? error.message : '')
  }
}

const port = Number(process.argv[2] ?? 4000)
createServer((request, response) => void respond(request, response)).listen(port, () =>
  console.log(`Waiting for callbacks at http://localhost:${port}`),
)
