// The lists that docs/upstream.md describes. Pazar uses these lists to compare its own ledger with the ledger of this upstream.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from './responses.ts'
import type { Ledger, Payment } from './ledger.ts'
import { readBody, Refusal } from './requests.ts'
import { toWireDispute, toWireRefund } from './wire.ts'
import type { Verb } from './wire.ts'

const PAGE_MAX = 100

interface Item {
  createdAt: string
  body: object
}

export interface ListOptions {
  ledger: Ledger
  requireGenuine: (req: IncomingMessage, verb: Verb, subject: string, body: Buffer) => void
  toBody: (payment: Payment) => object
  /** How many decimals each amount has. */
  scale: number
}

export function createLists({ ledger, requireGenuine, toBody, scale }: ListOptions) {
  /** A payment with several charges has one entry per charge. */
  function listPayments(): Item[] {
    const { payments, charges } = ledger.all()
    const byPayment = Map.groupBy(charges, (one) => one.paymentId)
    const toItem = (payment: Payment): Item => {
      const { createdAt } = payment
      return { createdAt, body: { ...toBody(payment), scale, createdAt, metadata: payment.metadata } }
    }
    return payments.flatMap((payment) => {
      const ownCharges = byPayment.get(payment.id) ?? []
      return ownCharges.length < 2
        ? [toItem(payment)]
        : ownCharges.map(({ chargeId }) => toItem({ ...payment, chargeId }))
    })
  }

  const LISTS: Record<string, () => Item[]> = {
    payments: listPayments,
    refunds: () => ledger.all().refunds.map((one) => ({ createdAt: one.createdAt, body: toWireRefund(one) })),
    disputes: () =>
      ledger.all().disputes.map((one) => ({ createdAt: one.createdAt, body: toWireDispute(one) })),
  }

  return {
    /** False if the request is not for a list. */
    async route(req: IncomingMessage, res: ServerResponse, url: URL): Promise<boolean> {
      const name = url.pathname.slice(1)
      const list = req.method === 'GET' && Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
      if (!list) return false
      requireGenuine(req, 'list', name, await readBody(req))
      const sinceMs = Date.parse(url.searchParams.get('since') ?? '')
      // The cursor is a position in the whole list. New items are added at the end.
      const start = Number(url.searchParams.get('cursor') ?? 0)
      if (Number.isNaN(sinceMs) || !Number.isInteger(start) || start < 0)
        throw new Refusal(400, 'invalid_request')
      const all = list()
      const page: object[] = []
      let position = start
      for (; position < all.length && page.length < PAGE_MAX; position += 1)
        if (Date.parse(all[position]!.createdAt) >= sinceMs) page.push(all[position]!.body)
      sendJson(res, 200, { items: page, next: position < all.length ? String(position) : null })
      return true
    },
  }
}
