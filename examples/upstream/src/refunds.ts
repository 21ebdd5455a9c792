// Refunds that Pazar requests, and refunds that are made at the bank.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from './responses.ts'
import type { Ledger, Refund } from './ledger.ts'
import { readBody, Refusal } from './requests.ts'
import { REFUND_SCRIPTS, REFUNDED } from './scripts.ts'
import type { RefundScript } from './scripts.ts'
import { parseNewRefund, toWireRefund } from './wire.ts'
import type { Verb } from './wire.ts'

/** After this time, a `processing` refund succeeds, or a refund fails because its money came back to the merchant. */
const CHANGE_AFTER_MS = 500
/** The ids of refunds that are made at the bank. */
const BANK_PREFIX = 'rf_'

export interface RefundOptions {
  ledger: Ledger
  requireGenuine: (req: IncomingMessage, verb: Verb, subject: string, body: Buffer) => void
  /** Sends a webhook until Pazar accepts it, at most six times. */
  send: (body: object) => Promise<void>
}

// Why this is long: short functions that share one ledger.
export function createRefunds({ ledger, requireGenuine, send }: RefundOptions) {
  function toRefundableAmount(paymentId: string): bigint {
    const charges = ledger.all().charges.filter((charge) => charge.paymentId === paymentId)
    const charged = charges.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    const refunds = ledger.refundsOf(paymentId).filter(({ status }) => status !== 'failed')
    return refunds.reduce((left, { amount }) => left - BigInt(amount), charged)
  }

  function change(
    refund: Omit<Refund, 'createdAt'>,
    status: Refund['status'],
    failureCode: string | null,
  ): void {
    void send(toWireRefund(ledger.bookRefund({ ...refund, status, failureCode })))
  }

  /** Null: the refund no longer changes. The script says what was planned, but a refund may have failed at once. */
  function toNextChange(refund: Refund, script: RefundScript): (() => void) | null {
    if (refund.status === 'processing') return () => change(refund, 'succeeded', null)
    const isReturned = refund.status === 'succeeded' && script.isReturned
    return isReturned ? () => change(refund, 'failed', 'returned') : null
  }

  function changeLater(refund: Refund, script: RefundScript): void {
    const next = toNextChange(refund, script)
    if (next) setTimeout(next, CHANGE_AFTER_MS).unref()
  }

  async function create(req: IncomingMessage, res: ServerResponse, paymentId: string): Promise<void> {
    const body = await readBody(req)
    const requested = parseNewRefund(body)
    if (requested === null) throw new Refusal(400, 'invalid_request')
    requireGenuine(req, 'refund', requested.id, body)
    if (req.headers['idempotency-key'] !== requested.id) throw new Refusal(400, 'idempotency_key')
    const existing = ledger.findRefund(requested.id)
    if (existing) return sendJson(res, 200, toWireRefund(existing))
    const script = findScript(requested.amount)
    if (script.status === null) return
    const isTooMuch = BigInt(requested.amount) > toRefundableAmount(paymentId)
    const status = isTooMuch ? 'failed' : script.status
    const reason = isTooMuch ? 'amount_too_large' : 'declined'
    const failureCode = status === 'failed' ? reason : null
    const refund = ledger.bookRefund({ ...requested, paymentId, status, failureCode })
    const notified = send(toWireRefund(refund))
    if (script.webhookFirst) await notified
    changeLater(refund, script)
    respond(res, refund, script)
  }

  function respond(res: ServerResponse, refund: Refund, script: RefundScript): void {
    if (script.answer === 'nothing') return
    if (script.answer === 'error_500') return sendJson(res, 500, { error: 'internal' })
    const wire = toWireRefund(refund)
    sendJson(res, 201, script.answer === 'other_amount' ? { ...wire, amount: `${refund.amount}0` } : wire)
  }

  async function findRefund(
    req: IncomingMessage,
    res: ServerResponse,
    paymentId: string,
    id: string,
  ): Promise<void> {
    requireGenuine(req, 'find_refund', id, await readBody(req))
    const refund = ledger.findRefund(id)
    if (refund?.paymentId !== paymentId) throw new Refusal(404, 'not_found')
    sendJson(res, 200, toWireRefund(refund))
  }

  /** Makes a refund at the bank. Unlike a refund that Pazar requests, this refund may exceed the charge. */
  async function refundHere(req: IncomingMessage, res: ServerResponse, paymentId: string): Promise<void> {
    const amount = new URLSearchParams((await readBody(req)).toString()).get('amount') ?? ''
    const payment = ledger.find(paymentId)
    if (payment === null || !/^[1-9][0-9]{0,11}$/.test(amount)) throw new Refusal(404, 'not_found')
    const newRefund = { id: `${BANK_PREFIX}${randomUUID()}`, paymentId, amount, currency: payment.currency }
    change({ ...newRefund, status: 'succeeded', failureCode: null }, 'succeeded', null)
    sendJson(res, 201, newRefund)
  }

  return {
    /** Makes the changes that the last process had planned when it stopped. */
    finishInterrupted(): void {
      for (const refund of ledger.all().refunds)
        if (!refund.id.startsWith(BANK_PREFIX)) toNextChange(refund, findScript(refund.amount))?.()
    },
    /** False if the request belongs to none of the three routes below. */
    async route(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
      const [, resource, paymentId, id] =
        /^\/(payments|bank)\/([0-9a-f-]{36})\/refunds(?:\/([\w-]+))?$/.exec(path) ?? []
      if (!resource || !paymentId) return false
      if (resource === 'payments' && req.method === 'GET' && id) await findRefund(req, res, paymentId, id)
      else if (resource === 'payments' && req.method === 'POST' && !id) await create(req, res, paymentId)
      else if (resource === 'bank' && req.method === 'POST' && !id) await refundHere(req, res, paymentId)
      else return false
      return true
    },
  }
}

function findScript(amount: string): RefundScript {
  return REFUND_SCRIPTS.get(amount) ?? REFUNDED
}
