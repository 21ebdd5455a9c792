// Disputes. POST /bank/{id}/disputes opens or changes a dispute.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from './responses.ts'
import type { Dispute, Ledger, Payment } from './ledger.ts'
import { readBody, Refusal } from './requests.ts'
import { toWireDispute } from './wire.ts'

/** How long the merchant can respond to the bank. */
const RESPOND_DAYS = 7
const DAY_MS = 24 * 3_600_000
const STATUSES: readonly string[] = ['inquiry', 'open', 'won', 'lost'] satisfies Dispute['status'][]

export interface DisputeOptions {
  ledger: Ledger
  nowMs: () => number
  /** Sends a webhook until Pazar accepts it, at most six times. */
  send: (body: object) => Promise<void>
}

export function createDisputes({ ledger, nowMs, send }: DisputeOptions) {
  /** Each payment has at most one dispute. A later call changes only its status. */
  function dispute(payment: Payment, status: Dispute['status'], amount: string): Dispute {
    const id = `dp_${payment.id}`
    const existing = ledger.all().disputes.find((one) => one.id === id)
    const booked = ledger.bookDispute({
      id,
      paymentId: payment.id,
      amount: existing?.amount ?? amount,
      currency: payment.currency,
      status,
      reason: 'fraudulent',
      respondBy: existing?.respondBy ?? new Date(nowMs() + RESPOND_DAYS * DAY_MS).toISOString(),
    })
    void send(toWireDispute(booked))
    return booked
  }

  return {
    /** Opens a dispute of the whole amount. Does nothing if the payment already has a dispute. */
    openFirst(payment: Payment): void {
      const isDisputed = ledger.all().disputes.some((one) => one.paymentId === payment.id)
      if (!isDisputed) dispute(payment, 'open', payment.amount)
    },
    /** False unless the request is POST /bank/{id}/disputes. */
    async route(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
      const [, id] = /^\/bank\/([0-9a-f-]{36})\/disputes$/.exec(path) ?? []
      if (req.method !== 'POST' || !id) return false
      const form = new URLSearchParams((await readBody(req)).toString())
      const payment = ledger.find(id)
      const status = form.get('status') ?? 'open'
      const amount = form.get('amount') ?? payment?.amount ?? ''
      if (payment?.status !== 'succeeded' || !isStatus(status) || !/^[1-9][0-9]{0,11}$/.test(amount))
        throw new Refusal(404, 'not_found')
      sendJson(res, 201, dispute(payment, status, amount))
      return true
    },
  }
}

function isStatus(text: string): text is Dispute['status'] {
  return STATUSES.includes(text)
}
