// The payers of one scenario. Some pay through nginx, or through the balancer of the upgrade drill. Others pay directly
// at each web replica, so that the scenario can check when the replica serves again. A failed request is repeated unchanged.
import { setTimeout as sleep } from 'node:timers/promises'
import { openLink, pressPay } from '../../server/test/http-payer.ts'
import type { PayerResponse } from '../../server/test/http-payer.ts'
import { toLink } from '../../server/test/payer.ts'
import type { PayProject } from '../../server/test/payer.ts'
import type { UpstreamProcess } from '../../server/test/upstream-process.ts'

/**
 * What the sample upstream does with each amount: 1500 is paid immediately, 4000 is declined, 4004 is paid at the bank's
 * page, 4002 is charged without a response, and 4005 is charged but gets an error response.
 */
const AMOUNTS = ['1500', '4000', '1500', '4004', '1500', '4002', '1500', '4005']
const AT_BANK = '4004'
/** The HTTP statuses of payments that succeeded, are open or were declined. */
const PAY_STATUSES = [200, 202, 402]

const NEW_PAYER_EVERY_MS = 400
const DIRECT_EVERY_MS = 1_500
const PAYERS_MAX = 15
const RETRY_AFTER_MS = 500
/** After this time a payer gives up. */
const PATIENCE_MS = 120_000

export interface Failure {
  text: string
  /** Null if there was no response, or if the response has no request id, for example because it is from nginx. */
  requestId: string | null
}

export interface Payers {
  acknowledged: Set<string>
  requests: number
  failures: Failure[]
  /** The number of payments through nginx that the payers completed. Declined payments count too. */
  completed: number
  /** For each replica: when a payer sent the last direct request that the replica served. */
  servedAt: Map<string, number>
  stop(): Promise<void>
}

interface Route {
  url: string
  /** The replica, or null for nginx. */
  replica: string | null
}

interface Options {
  prefix: string
  shop: PayProject
  upstream: UpstreamProcess
  nginxUrl: string
  web: readonly { name: string; baseUrl: string }[]
}

function toFailure(step: string, { status, body }: PayerResponse): Failure {
  const code = typeof body['code'] === 'string' ? ` ${body['code']}` : ''
  const text = `${step}: ${status === 0 ? 'no response' : status}${code}`
  return { text, requestId: typeof body['requestId'] === 'string' ? body['requestId'] : null }
}

// Why this is long: short functions that share the counts of one scenario.
export function startPayers({ prefix, shop, upstream, nginxUrl, web }: Options): Payers {
  let isOver = false
  let orders = 0
  const openPayments = new Set<Promise<void>>()
  const state = {
    acknowledged: new Set<string>(),
    requests: 0,
    failures: [] as Failure[],
    completed: 0,
    servedAt: new Map<string, number>(),
  }

  /** Returns null if the payer has given up. Direct payers also give up when the scenario is over. */
  async function sendUntilServed(
    { replica }: Route,
    step: string,
    isServed: (status: number) => boolean,
    request: () => Promise<PayerResponse>,
  ): Promise<PayerResponse | null> {
    const deadline = performance.now() + PATIENCE_MS
    while (performance.now() < deadline) {
      const sentMs = performance.now()
      const response = await request()
      if (replica === null) state.requests += 1
      if (isServed(response.status)) {
        if (replica !== null) state.servedAt.set(replica, sentMs)
        return response
      }
      if (replica === null) state.failures.push(toFailure(step, response))
      // At the end of the scenario, payers do not wait for a replica that is down.
      if (replica !== null && isOver) return null
      await sleep(RETRY_AFTER_MS)
    }
    return null
  }

  async function pay(route: Route): Promise<void> {
    orders += 1
    const amount = route.replica === null ? AMOUNTS[orders % AMOUNTS.length]! : '1500'
    const link = toLink(shop, { amount, customId: `${prefix}.${orders}` })
    const page = await sendUntilServed(
      route,
      'GET /pay',
      (status) => status === 200,
      () => openLink(route.url, link),
    )
    if (!page) return
    const token = String(page.body['token'])
    const isServed = (status: number) => PAY_STATUSES.includes(status)
    const pressed = await sendUntilServed(route, 'POST /pay', isServed, () => pressPay(route.url, token))
    if (!pressed) return
    const id = String(pressed.body['transactionId'])
    if (pressed.body['status'] === 'succeeded') state.acknowledged.add(id)
    if (amount === AT_BANK) await upstream.actAtBank(id, 'approve')
    if (route.replica === null) state.completed += 1
  }

  async function keepPaying(route: Route, everyMs: number, payersMax: number): Promise<void> {
    const current = new Set<Promise<void>>()
    while (!isOver) {
      if (current.size < payersMax) {
        const paying = pay(route).finally(() => {
          current.delete(paying)
          openPayments.delete(paying)
        })
        current.add(paying)
        openPayments.add(paying)
      }
      await sleep(everyMs)
    }
  }

  const loops = [
    keepPaying({ url: nginxUrl, replica: null }, NEW_PAYER_EVERY_MS, PAYERS_MAX),
    ...web.map(({ name, baseUrl }) => keepPaying({ url: baseUrl, replica: name }, DIRECT_EVERY_MS, 2)),
  ]
  return Object.assign(state, {
    async stop() {
      isOver = true
      await Promise.all(loops)
      await Promise.all(openPayments)
    },
  })
}
