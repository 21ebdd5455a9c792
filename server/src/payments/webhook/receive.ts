// An upstream tells of a payment by itself. Anybody can post here, so the signature comes first, over the raw bytes;
// then the message is weighed against the stored payment on the same path as every other word of an upstream.
import { verifyWebhook } from '@pazar/sdk'
import type { HeaderSource } from '@pazar/sdk'
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Charge } from '../../backends/backend.ts'
import { parseUpstreamPayment } from '../../backends/http-wire.ts'
import { toUnixSeconds } from '../../lib/clock.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { PaymentDeps } from '../deps.ts'
import { raiseIncident } from '../incidents.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../payments-store.ts'
import { recordReport, toSafeText } from '../record-report.ts'

/** As long as the reference libraries take: a slow network and a clock that is a little off, not a recording. */
const TOLERANCE_SEC = 300

export interface UpstreamWebhook {
  rawBody: Buffer
  headers: HeaderSource
}

function requireGenuine(deps: PaymentDeps, secret: string, { rawBody, headers }: UpstreamWebhook): void {
  const nowSec = toUnixSeconds(deps.clock.nowMs())
  const verdict = verifyWebhook(rawBody, headers, { secret, nowSec, toleranceSec: TOLERANCE_SEC })
  if (!verdict.ok) throw new ServiceError('invalid_hash', { log: `upstream webhook: ${verdict.reason}` })
}

/** Only payments that this upstream was asked for are its business. */
async function findOwn(deps: PaymentDeps, id: string): Promise<Payment | null> {
  const payment = TRANSACTION_ID_PATTERN.test(id) ? await findPayment(deps.db, id) : null
  return payment?.backend === 'http' ? payment : null
}

async function raiseUnknown(deps: PaymentDeps, said: Charge): Promise<void> {
  const subject = toSafeText(said.id)
  await raiseIncident(deps, {
    kind: 'unknown_payment',
    transactionId: null,
    subject,
    facts: {
      saidId: subject,
      said: said.status,
      saidAmount: said.amount.toString(),
      saidCurrency: toSafeText(said.currency),
    },
  })
}

export async function receiveWebhook(deps: PaymentDeps, webhook: UpstreamWebhook): Promise<void> {
  const secret = deps.config.backendSecret
  if (secret === null) throw new ServiceError('not_found')
  requireGenuine(deps, secret, webhook)
  const said = parseUpstreamPayment(webhook.rawBody)
  if (!said) throw new ServiceError('invalid_request', { fields: [{ path: '', code: 'invalid' }] })
  const payment = await findOwn(deps, said.id)
  if (!payment) {
    await raiseUnknown(deps, said)
    throw new ServiceError('not_found')
  }
  await recordReport(deps, payment, said)
}
