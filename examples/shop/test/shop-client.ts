// Starts a shop, and acts as a browser and as Pazar.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { signCallback } from '@pazar/sdk'
import type { CallbackFacts, SignedCallback, Secrets } from '@pazar/sdk'
import { createShop } from '../src/shop.ts'

export const LIVE_SECRET = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
export const PROJECT_ID = 'tz4a98xxat96iws9zmbrgj3a'
export const START_MS = 1_790_000_000_000

export type Shop = Awaited<ReturnType<typeof startShop>>

export async function startShop(
  t: TestContext,
  secret: Secrets = LIVE_SECRET,
  startMs = START_MS,
  testSecret?: string,
) {
  const clock = { nowMs: startMs }
  const payBaseUrl = 'https://pay.example.me'
  const server = createServer(
    createShop({ payBaseUrl, projectId: PROJECT_ID, secret, testSecret, nowMs: () => clock.nowMs }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { redirect: 'manual', ...init })
  return { clock, request }
}

export async function readPage(
  shop: Shop,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  return (await shop.request(path, { headers })).text()
}

export async function buy(shop: Shop, good = 'coffee'): Promise<{ id: string; link: URL }> {
  const response = await shop.request('/buy', { method: 'POST', body: new URLSearchParams({ good }) })
  assert.equal(response.status, 303)
  const link = new URL(response.headers.get('location') ?? '')
  return { id: link.searchParams.get('customId') ?? '', link }
}

export function toFacts(customId: string | null, change: Partial<CallbackFacts> = {}): CallbackFacts {
  return {
    status: 'success',
    projectId: PROJECT_ID,
    transactionId: '0199f000-0000-7000-8000-000000000001',
    amount: '1500',
    currency: 'EUR',
    customId,
    mode: 'live',
    createdAt: '2026-09-21T14:13:20.000Z',
    ...change,
  }
}

let signed = 0

/** Each call signs another callback, with its own webhook-id. */
export function sign(facts: CallbackFacts, secret = LIVE_SECRET, nowSec = START_MS / 1000): SignedCallback {
  signed += 1
  return signCallback(facts, { secret, id: `msg_${String(signed).padStart(32, '0')}`, nowSec })
}

export async function send(
  shop: Shop,
  { body, headers }: SignedCallback,
): Promise<[status: number, text: string]> {
  const response = await shop.request('/callback', { method: 'POST', body, headers })
  const answer = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return [response.status, isJson ? (JSON.parse(answer) as { text: string }).text : answer.trim()]
}

export interface OrderView {
  id: string
  state: string
  callbacksReceived: number
  outcome: { failureCode: string | null; transactionId: string; atMs: number } | null
  returned: { status: string; atMs: number } | null
}

export async function findOrder(shop: Shop, id: string): Promise<OrderView | undefined> {
  const { orders } = (await (await shop.request('/orders.json')).json()) as { orders: OrderView[] }
  return orders.find((order) => order.id === id)
}
