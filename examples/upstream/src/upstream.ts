// A reference upstream for Pazar, as docs/upstream.md describes. Certain amounts break the rules of that document
// on purpose, for tests.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sendJson, sendScripted, sendText } from './responses.ts'
import { chooseLanguage, toBankPage } from './bank-page.ts'
import { createDisputes } from './disputes.ts'
import type { Ledger, Payment } from './ledger.ts'
import { createLists } from './lists.ts'
import { createRefunds } from './refunds.ts'
import { readBody, Refusal } from './requests.ts'
import { SCRIPTS, SUCCESS } from './scripts.ts'
import type { Script } from './scripts.ts'
import { isGenuine, parseNewPayment, toWire } from './wire.ts'
import type { NewPayment, Verb } from './wire.ts'
import { sendWebhook } from './webhooks.ts'

export interface UpstreamOptions {
  ledger: Ledger
  secret: string
  /** The address at which payers' browsers reach this process. */
  publicUrl: () => string
  /** Pazar's `/upstream/http/webhook`. Null: no webhooks are sent, and Pazar looks payments up. */
  webhookUrl: string | null
  nowMs: () => number
  money: { currency: string; scale: number }
}

const PROCESSING_MS = 500
const DISPUTED_AFTER_MS = 5_000

// Why this is long: short functions that share one ledger.
export function createUpstream(options: UpstreamOptions): RequestListener {
  const { ledger, secret, nowMs } = options

  const toBody = (payment: Payment) =>
    toWire(payment, payment.status === 'requires_action' ? `${options.publicUrl()}/bank/${payment.id}` : null)

  async function sendWebhooks(body: object, times: number): Promise<void> {
    if (options.webhookUrl === null) return
    const target = { url: options.webhookUrl, secret, nowMs }
    await Promise.all(Array.from({ length: times }, () => sendWebhook(target, body)))
  }

  const notify = (payment: Payment, times: number) => sendWebhooks(toBody(payment), times)

  function endPayment(payment: Payment, status: 'succeeded' | 'failed', failureCode: string | null): void {
    void notify(ledger.book({ ...payment, status, failureCode }), 1)
  }

  function requireGenuine(req: IncomingMessage, verb: Verb, subject: string, body: Buffer): void {
    const request = { verb, subject, body, headers: req.headers }
    if (!isGenuine(request, { secret, nowSec: Math.floor(nowMs() / 1000) }))
      throw new Refusal(401, 'bad_signature')
  }

  async function create(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readBody(req)
    const requested = parseNewPayment(body)
    if (requested === null) throw new Refusal(400, 'invalid_request')
    requireGenuine(req, 'create', requested.id, body)
    if (req.headers['idempotency-key'] !== requested.id) throw new Refusal(400, 'idempotency_key')
    // The same digits with another scale are another amount.
    if (requested.scale !== null && requested.scale !== options.money.scale) throw new Refusal(422, 'scale')
    const existing = ledger.find(requested.id)
    if (existing) return sendJson(res, existing.status === 'cancelled' ? 409 : 200, toBody(existing))
    await runScript(res, requested, SCRIPTS.get(requested.amount) ?? SUCCESS)
  }

  async function runScript(res: ServerResponse, requested: NewPayment, script: Script): Promise<void> {
    // No response and no entry, as if the request were lost.
    if (script.status === null) return
    const { status, failureCode = null } = script
    const { scale: _scale, ...booked } = requested
    const payment = ledger.book({ ...booked, status, failureCode })
    const { processingMs = PROCESSING_MS } = script
    if (status === 'processing')
      setTimeout(() => endPayment(payment, 'succeeded', null), processingMs).unref()
    if (script.isDisputed) setTimeout(() => disputes.openFirst(payment), DISPUTED_AFTER_MS).unref()
    const notified =
      status === 'succeeded' || status === 'failed' ? notify(payment, script.webhooks ?? 1) : null
    if (script.webhookFirst) await notified
    if (script.chargesTwice) void notify(ledger.book(payment), 1)
    sendScripted(res, toBody(payment), script)
  }

  async function sendInfo(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requireGenuine(req, 'info', 'terms', await readBody(req))
    sendJson(res, 200, { ...options.money, methods: ['card'], refunds: true, disputes: true, lists: true })
  }

  async function findPayment(req: IncomingMessage, res: ServerResponse, id: string): Promise<void> {
    requireGenuine(req, 'find', id, await readBody(req))
    const payment = ledger.find(id)
    if (payment === null) throw new Refusal(404, 'not_found')
    sendJson(res, 200, toBody(payment))
  }

  /**
   * A payment that has not arrived yet is booked as cancelled, so that it is refused when it arrives. A payment that cannot be
   * cancelled is returned unchanged.
   */
  async function cancel(req: IncomingMessage, res: ServerResponse, id: string): Promise<void> {
    requireGenuine(req, 'cancel', id, await readBody(req))
    const existing = ledger.find(id)
    if (existing && existing.status !== 'requires_action') return sendJson(res, 200, toBody(existing))
    const notArrived = { id, amount: '0', currency: '', projectId: null, customId: null, returnUrl: null }
    sendJson(
      res,
      200,
      toBody(ledger.book({ ...notArrived, ...existing, status: 'cancelled', failureCode: null })),
    )
  }

  function showBankPage(req: IncomingMessage, res: ServerResponse, payment: Payment, url: URL): void {
    const language = chooseLanguage(url.searchParams.get('lang'), req.headers['accept-language'])
    sendText(
      res,
      200,
      'text/html',
      toBankPage(payment, { scale: options.money.scale, language, host: req.headers.host }),
    )
  }

  async function actAtBank(req: IncomingMessage, res: ServerResponse, id: string, url: URL): Promise<void> {
    const form = new URLSearchParams((await readBody(req)).toString())
    // Read after the form, because the payment may be cancelled while the form arrives.
    const payment = ledger.find(id)
    if (payment === null) throw new Refusal(404, 'not_found')
    if (req.method !== 'POST') return showBankPage(req, res, payment, url)
    const approves = form.get('outcome') === 'approve'
    if (payment.status === 'requires_action')
      endPayment(payment, approves ? 'succeeded' : 'failed', approves ? null : 'declined')
    res.writeHead(303, { location: payment.returnUrl ?? '/' }).end()
  }

  const refunds = createRefunds({ ledger, requireGenuine, send: (body) => sendWebhooks(body, 1) })
  const disputes = createDisputes({ ledger, nowMs, send: (body) => sendWebhooks(body, 1) })
  const lists = createLists({ ledger, requireGenuine, toBody, scale: options.money.scale })

  async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://upstream')
    const path = url.pathname
    const [, resource, id, verb] = /^\/(payments|bank)\/([0-9a-f-]{36})(?:\/(cancel))?$/.exec(path) ?? []
    if (req.method === 'GET' && path === '/ledger') return sendJson(res, 200, ledger.all())
    if (req.method === 'GET' && path === '/info') return sendInfo(req, res)
    if (req.method === 'POST' && path === '/payments') return create(req, res)
    if (await lists.route(req, res, url)) return
    if (await refunds.route(req, res, path)) return
    if (await disputes.route(req, res, path)) return
    if (resource === 'bank' && id && !verb) return actAtBank(req, res, id, url)
    if (resource === 'payments' && id && req.method === 'GET' && !verb) return findPayment(req, res, id)
    if (resource === 'payments' && id && req.method === 'POST' && verb) return cancel(req, res, id)
    throw new Refusal(404, 'not_found')
  }

  // Finishes what was in progress when the last process stopped.
  for (const payment of ledger.all().payments) {
    if (payment.status === 'processing') endPayment(payment, 'succeeded', null)
    if (payment.status === 'succeeded' && SCRIPTS.get(payment.amount)?.isDisputed) disputes.openFirst(payment)
  }
  refunds.finishInterrupted()

  return (req, res) => {
    route(req, res).catch((error: unknown) => {
      if (error instanceof Refusal) return sendJson(res, error.status, { error: error.message })
      console.error('The upstream failed:', error)
      if (!res.headersSent) sendJson(res, 500, { error: 'internal' })
    })
  }
}
