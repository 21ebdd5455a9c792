// Every page a payer can meet, and how to get there with a browser. Tests and whoever looks at the pages share it.
import { randomUUID } from 'node:crypto'
import type { Locale } from '@pazar/words'
import type { Page } from 'playwright-core'
import { sealAttempt } from '../../src/checkout/attempt-token.ts'
import { parseQuery } from '../../src/http/query.ts'
import { parsePayLink } from '../../src/paylinks/pay-link.ts'
import { findAnything } from '../../src/payments/find.ts'
import { resolvePayment } from '../../src/payments/resolve.ts'
import { toLink, toTransactionId } from '../payer.ts'
import type { PayerWorld, Site } from './payer-world.ts'

/** A payer on his way to a state. */
export class PayerTrip {
  readonly world: PayerWorld
  readonly page: Page
  readonly locale: Locale

  constructor(world: PayerWorld, page: Page, locale: Locale) {
    this.world = world
    this.page = page
    this.locale = locale
  }

  link(fields: Parameters<typeof toLink>[1] = {}): string {
    return toLink(this.world.shop, { lang: this.locale, ...fields })
  }

  async goto(path: string, site: Site = this.world.normal): Promise<void> {
    await this.page.goto(site.baseUrl + path)
  }

  async press(): Promise<void> {
    const moved = this.page.waitForEvent('domcontentloaded')
    await this.page.click('main form button')
    await moved
  }

  async pay(link: string): Promise<void> {
    await this.goto(link)
    await this.press()
  }

  /** The same purchase in another browser, as far as the service can tell. */
  async forgetAttempts(): Promise<void> {
    await this.page.context().clearCookies({ name: /^attempt-/ })
  }

  async putToken(token: string): Promise<void> {
    await this.page
      .locator('input[name=token]')
      .evaluate((input, value) => input.setAttribute('value', value), token)
  }

  /** The payment that this trip has led to, by its page or by the shop's. */
  transactionId(): string {
    return toTransactionId(this.page.url())
  }
}

export interface PayerState {
  name: string
  status: number
  reach(trip: PayerTrip): Promise<void>
}

const order = () => `order-${randomUUID()}`

/** Opens a bank step and comes back to the link in the same browser. */
async function leaveBank(trip: PayerTrip, link: string): Promise<string> {
  await trip.pay(link)
  const id = trip.transactionId()
  await trip.goto(link)
  return id
}

/** Declined, then charged after all, and decided by the operator. */
async function reachResolved(trip: PayerTrip, as: 'paid' | 'unpaid'): Promise<void> {
  const customId = order()
  await trip.pay(trip.link({ amount: '4000', customId }))
  const { deps } = trip.world.service
  const { payments } = await findAnything(deps, customId)
  const { id } = payments[0]!
  await trip.world.set('update transactions t set needs_review = true where t.id = $1', id)
  await resolvePayment(deps, id, { as, reason: 'Checked', by: 'ana' })
  await trip.goto(`/pay/${id}?lang=${trip.locale}`)
}

/** An upstream that does not answer: the payment stays open whatever is asked. */
async function keepOpen(trip: PayerTrip, id: string, ageMin = 0): Promise<void> {
  const sql = `update transactions set next_check_at = now() + interval '1 hour', created_at = now() - make_interval(mins => $2)
    where id = $1`
  await trip.world.set(sql, id, ageMin)
  await trip.world.set('delete from sandbox_charges where id = $1', id)
}

async function pend(trip: PayerTrip, ageMin: number): Promise<void> {
  await trip.pay(trip.link({ amount: '4003' }))
  const id = trip.transactionId()
  await keepOpen(trip, id, ageMin)
  await trip.goto(`/pay/${id}?lang=${trip.locale}`)
}

/** Sends the form of a page that was opened then, by a window that this browser has no memory of. */
async function sendOther(trip: PayerTrip, openedAgoMs: number): Promise<void> {
  const link = trip.link()
  await trip.goto(link)
  const { attemptTokens, clock } = trip.world.normal.deps
  const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
  const attempt = { id: randomUUID(), link: parsed, replaces: null, shown: { currency: 'EUR', scale: 2 } }
  await trip.putToken(sealAttempt(attemptTokens, attempt, clock.nowMs() - openedAgoMs))
  await trip.press()
}

async function sendTampered(trip: PayerTrip, path: string): Promise<void> {
  await trip.goto(trip.link())
  await trip.putToken('AAAA')
  await trip.page.locator('main form').evaluate((form, to) => form.setAttribute('action', to), path)
  await trip.press()
}

const READY: PayerState[] = [
  { name: 'ready', status: 200, reach: (trip) => trip.goto(trip.link()) },
  {
    name: 'ready, signed, test mode',
    status: 200,
    reach: (trip) => trip.goto(trip.link({ mode: 'test', data: 'Narudžba 7', customId: order() })),
  },
  {
    name: 'ready, the longest amount',
    status: 200,
    reach: (trip) => trip.goto(trip.link({ amount: '999999999999', data: 'W'.repeat(64), signed: true })),
  },
  { name: 'declined', status: 402, reach: (trip) => trip.pay(trip.link({ amount: '4000' })) },
  {
    name: 'declined, opened again',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4001', customId: order() })
      await trip.pay(link)
      await trip.goto(link)
    },
  },
  { name: 'page too old', status: 410, reach: (trip) => sendOther(trip, 2 * 3_600_000) },
  { name: 'opened in another window', status: 410, reach: (trip) => sendOther(trip, 0) },
  { name: 'form tampered with', status: 400, reach: (trip) => sendTampered(trip, trip.link()) },
]

const PAYMENTS: PayerState[] = [
  { name: 'pending', status: 200, reach: (trip) => pend(trip, 0) },
  { name: 'pending for long', status: 200, reach: (trip) => pend(trip, 3) },
  {
    name: 'bank step open',
    status: 200,
    reach: async (trip) => void (await leaveBank(trip, trip.link({ amount: '4004' }))),
  },
  {
    name: 'bank step declined',
    status: 200,
    async reach(trip) {
      await trip.pay(trip.link({ amount: '4004' }))
      const moved = trip.page.waitForURL(/\/pay\//)
      await trip.page.click('button[value=decline]')
      await moved
    },
  },
  {
    name: 'paid, opened again',
    status: 200,
    async reach(trip) {
      const link = trip.link()
      await trip.pay(link)
      await trip.goto(link)
    },
  },
  {
    name: 'receipt',
    status: 200,
    async reach(trip) {
      await trip.pay(trip.link({ customId: order() }))
      await trip.goto(`/pay/${trip.transactionId()}?lang=${trip.locale}`)
    },
  },
  {
    name: 'in review',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4000', customId: order() })
      await trip.pay(link)
      await trip.world.set(
        'update transactions set needs_review = true where id = (select id from transactions order by id desc limit 1)',
      )
      await trip.goto(link)
    },
  },
  {
    name: 'open and in review',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4004', customId: order() })
      await trip.pay(link)
      await trip.world.set(
        'update transactions t set needs_review = true where t.id = $1',
        trip.transactionId(),
      )
      await trip.goto(link)
    },
  },
  { name: 'resolved as paid', status: 200, reach: (trip) => reachResolved(trip, 'paid') },
  { name: 'resolved as unpaid', status: 200, reach: (trip) => reachResolved(trip, 'unpaid') },
  {
    name: 'sandbox bank',
    status: 200,
    reach: (trip) => trip.pay(trip.link({ amount: '4004', mode: 'test' })),
  },
]

const ELSEWHERE: PayerState[] = [
  {
    name: 'already paid',
    status: 200,
    async reach(trip) {
      const link = trip.link({ customId: order(), data: 'Narudžba 7', signed: true })
      await trip.pay(link)
      await trip.forgetAttempts()
      await trip.goto(link)
    },
  },
  {
    name: 'conflict',
    status: 409,
    async reach(trip) {
      const customId = order()
      await trip.pay(trip.link({ customId }))
      await trip.pay(trip.link({ customId, amount: '1600' }))
    },
  },
  {
    name: 'in flight elsewhere',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4003', customId: order() })
      await trip.pay(link)
      await keepOpen(trip, trip.transactionId())
      await trip.forgetAttempts()
      await trip.pay(link)
    },
  },
  {
    name: 'bank step open elsewhere',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4004', customId: order() })
      await trip.pay(link)
      await trip.forgetAttempts()
      await trip.pay(link)
    },
  },
]

const REFUSALS: PayerState[] = [
  { name: 'link expired', status: 410, reach: (trip) => trip.goto(trip.link({ exp: 1_700_000_000 })) },
  {
    name: 'shop archived',
    status: 410,
    async reach(trip) {
      const set = (value: string) =>
        trip.world.set(`update projects set archived_at = ${value} where id = $1`, trip.world.shop.id)
      await set('now()')
      try {
        await trip.goto(trip.link())
      } finally {
        await set('null')
      }
    },
  },
  {
    name: 'unknown project',
    status: 404,
    reach: (trip) => trip.goto(`/pay?amount=1500&project=nosuchproject&data=&lang=${trip.locale}`),
  },
  {
    name: 'bad link',
    status: 400,
    reach: (trip) => trip.goto(`/pay?amount=1e3&project=${trip.world.shop.id}&data=&lang=${trip.locale}`),
  },
  {
    name: 'bad signature',
    status: 400,
    reach: (trip) =>
      trip.goto(`${trip.link({ signed: true })}&sig=`.replace(/sig=[^&]+&(.*)sig=$/, '$1sig=AAAA')),
  },
  { name: 'shop not checked', status: 403, reach: (trip) => trip.goto(trip.link(), trip.world.strict) },
  {
    name: 'too many requests',
    status: 429,
    async reach(trip) {
      await trip.goto(trip.link(), trip.world.limited)
      await trip.goto(trip.link(), trip.world.limited)
    },
  },
  { name: 'service down', status: 503, reach: (trip) => trip.goto(trip.link(), trip.world.down) },
  {
    name: 'service down at the press',
    status: 503,
    async reach(trip) {
      await trip.goto(trip.link())
      const to = trip.world.down.baseUrl + trip.link()
      await trip.page.route(`${trip.world.normal.baseUrl}/pay?*`, async (route) => {
        const { baseUrl } = trip.world.normal
        // The same request at a replica that has lost its database; the browser sees one address.
        const request = route.request()
        const answer = await fetch(to, {
          method: 'POST',
          headers: { 'content-type': request.headers()['content-type'] ?? '', accept: 'text/html' },
          body: request.postData() ?? '',
        })
        await route.fulfill({
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
          body: (await answer.text()).replaceAll(trip.world.down.baseUrl, baseUrl),
        })
      })
      await trip.press()
    },
  },
  {
    name: 'form lost',
    status: 400,
    reach: (trip) => sendTampered(trip, '/pay'),
  },
  {
    name: 'unknown payment',
    status: 404,
    reach: (trip) => trip.goto(`/pay/01a1dd37-308c-7395-a76c-256787d947e0?lang=${trip.locale}`),
  },
]

const CONFIRMATIONS: PayerState[] = (['success', 'fail', 'cancel', 'pending'] as const).map((status) => ({
  name: `plain confirmation, ${status}`,
  status: 200,
  reach: (trip) =>
    trip.goto(
      `/pay/successful?status=${status}&transactionId=01a1dd37-308c-7395-a76c-256787d947e0&lang=${trip.locale}`,
    ),
}))

export const PAYER_STATES: readonly PayerState[] = [
  ...READY,
  ...PAYMENTS,
  ...ELSEWHERE,
  ...REFUSALS,
  ...CONFIRMATIONS,
]
