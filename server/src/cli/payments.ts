import { resolution as resolutions } from '@pazar/contract'
import type { Payment } from '../payments/payment.ts'
import { isFinal, isInReview, isPaid, toReference } from '../payments/payment.ts'
import { findPaymentsByText } from '../payments/reads/find.ts'
import type { History, HistoryEvent } from '../payments/reads/history.ts'
import { readHistory, toEvents } from '../payments/reads/history.ts'
import { BY_MAX, REASON_MAX } from '../payments/resolution/resolution.ts'
import type { Decision } from '../payments/resolution/resolution.ts'
import { readEvidenceIds, toEvidenceCode } from '../payments/evidence.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, refuseUnusedFlags, RefusedError, toCell, toTable, UsageError } from './command.ts'
import { toAdvice } from './advice.ts'
import { readMoneyEvents } from './money-events.ts'
import type { RefundDecision } from '../refunds/resolve-refund.ts'
import type { ChargeChoice } from './refund-charge.ts'
import { refundOneCharge } from './refund-charge.ts'
import { resolve } from './resolve.ts'
import { resolveOneRefund } from './resolve-refund.ts'

const USAGE =
  'payments find <text> | show <payment> | resolve <payment> --as paid|unpaid --reason "…" [--by name] [--force] [--dry-run] [--seen code] [--yes] | refund-charge <payment> --charge id --reason "…" [--by name] | resolve-refund <refund> --as succeeded|failed --reason "…" [--by name] [--dry-run] [--seen code] [--yes]'

const DETAILS = `<text>: a transaction id, a payer's short reference, a customId or its beginning, the beginning of data, an
upstream's charge or session, a callback's id (webhook-id), or the id of a checkout attempt.
<payment>: a <text> that matches exactly one payment. resolve and refund-charge accept only a complete id or customId, not data.

resolve decides about a payment in review, or about an open payment in the incident list. The state of an ended payment does
not change. The decision is stored beside it, and from then on the decision says whether the order counts as paid: in lists, in
the status check, on the payer's page. The merchant can read the reason. The merchant also gets a new callback, except if the last
callback had the same result, or if another payment has paid the order. An open payment is first looked up at its upstream. With
--as unpaid it is also closed there if it was not charged. If the payment is still open after that, its state becomes failed, also with --as paid.
Unpaid is refused if the upstream reports a charge; paid is refused if the upstream reports that nothing was charged.
  --as paid      the order counts as paid; refused while another payment of its customId or checkout is open or paid
  --as unpaid    the order does not count as paid, and its customId can be paid again
  --reason       why, up to ${REASON_MAX} characters; the merchant reads it
  --by           who decides, for the audit; by default "operator"
  --force        with --as paid: decides even if the upstream reports that nothing was charged; recorded as forced
  --dry-run      says what would happen and changes nothing
  --seen         the code that show and --dry-run print; refused if more was reported, refunded or disputed since
  --yes          acts without a confirmation; needs --seen, and is required without a terminal

refund-charge refunds one charge that the upstream reported for a payment in review, for example the second of two. The refund is
sent to the upstream immediately. A repeated command refunds again only if the refund failed or was returned. The review stays: resolve it afterwards.

resolve-refund ends a refund that has the incident refund_unresolved. Use it if the upstream is gone for good. <refund>: its id
(re_…). The refund is first looked up again, and the decision is refused if the upstream still knows it. Find out from the bank
or the upstream's statements whether the money was returned: you cannot undo this. The other flags are those of resolve.
  --as succeeded   the money was returned; the amount counts as refunded
  --as failed      the money was not returned; the amount can be refunded again
resolve-refund also ends a refund that the upstream reports with another amount (refund_mismatch). The refund ends as failed, and
what the upstream reports as refunded is recorded as a refund made there. The command is refused if the upstream's report has changed.

Exit codes: 0 done (also if the same decision was made before), 1 refused, 2 wrong usage.`

export function toStatusText(payment: Payment): string {
  if (payment.resolution !== null) return `resolved ${payment.resolution}`
  // `isInReview` is false for a payment that counts as paid.
  if (isInReview(payment)) return 'in review'
  return payment.needsReview
    ? 'paid, in review'
    : isPaid(payment)
      ? 'paid'
      : isFinal(payment.state)
        ? 'unpaid'
        : 'open'
}

async function listMatching(deps: Deps, text: string): Promise<string> {
  const { payments, hasMore } = await findPaymentsByText(deps, text)
  if (payments.length === 0) throw new RefusedError(`No payment matches ${toCell(text)}.`)
  const rows = payments.map((one) => [
    one.id,
    toReference(one.id),
    one.createdAt.toISOString(),
    one.mode,
    one.state,
    toStatusText(one),
    `${one.amount} ${one.currency}`,
    toCell(one.customId, 24),
    one.backend,
    one.projectId,
  ])
  const columnHeads = [
    'TRANSACTION',
    'REFERENCE',
    'CREATED',
    'MODE',
    'STATE',
    'COUNTS AS',
    'AMOUNT (MINOR)',
    'CUSTOMID',
    'UPSTREAM',
    'PROJECT',
  ]
  return toTable([columnHeads, ...rows]) + (hasMore ? '\nThere are more; search for a longer text.' : '')
}

export async function requireOnePayment(
  deps: Deps,
  text: string,
  options: { isExact?: boolean } = {},
): Promise<Payment> {
  const { payments } = await findPaymentsByText(deps, text, options)
  const [one] = payments
  if (!one)
    throw new RefusedError(
      options.isExact
        ? `No payment has exactly the id or customId ${toCell(text)}; "payments find" also accepts the beginning of a customId or data.`
        : `No payment matches ${toCell(text)}.`,
    )
  if (payments.length > 1)
    throw new RefusedError(
      `${toCell(text)} names more than one payment; use one of these ids:\n${await listMatching(deps, text)}`,
    )
  return one
}

async function readSeenCode(deps: Deps, payment: Payment): Promise<string> {
  return toEvidenceCode(payment, await readEvidenceIds(deps, deps.db, payment))
}

function toText(history: History, moneyEvents: readonly HistoryEvent[], evidenceCode: string): string {
  const { payment, attemptId, checks, nextCheckAt, resolvedBy, resolutionReason } = history.record
  const facts: [string, string][] = [
    ['reference', toReference(payment.id)],
    ['project', `${payment.projectId}, ${payment.mode}`],
    ['amount', `${payment.amount} ${payment.currency}, in the smallest unit`],
    ['customId', toCell(payment.customId, 128)],
    ['data', toCell(payment.data, 128)],
    ['attempt', attemptId],
    ['upstream', `${payment.backend}, charge ${toCell(payment.upstreamRef, 128)}`],
    ['state', `${payment.state}${payment.failureCode === null ? '' : ` (${toCell(payment.failureCode)})`}`],
    ['counts as', toStatusText(payment)],
    ['seen code', evidenceCode],
    ['lookups', `${checks} so far, next ${nextCheckAt?.toISOString() ?? '-'}`],
  ]
  if (payment.resolution !== null)
    facts.push([
      'decision',
      `${payment.resolution}, by ${toCell(resolvedBy, BY_MAX)}: ${toCell(resolutionReason, REASON_MAX)}`,
    ])
  const events = [...toEvents(history), ...moneyEvents]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, text }) => [`  ${at.toISOString()}`, toCell(text, 400)])
  return [
    `Payment ${payment.id}`,
    ...facts.map(([name, value]) => `  ${name}: ${value}`),
    '',
    'What happened:',
    toTable(events),
    '',
    toAdvice(payment, history.incidents),
  ].join('\n')
}

async function show(deps: Deps, payment: Payment): Promise<string> {
  const history = await readHistory(deps, payment.id)
  return toText(history, await readMoneyEvents(deps, payment), await readSeenCode(deps, payment))
}

interface DecisionFlags {
  as?: string
  charge?: string
  reason?: string
  by?: string
  force?: boolean
}

function parseReason(values: DecisionFlags): Pick<Decision, 'reason' | 'by'> {
  const reason = values.reason?.trim() ?? ''
  const actor = values.by?.trim() ?? 'operator'
  if (reason === '' || actor === '') throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  if ([...reason].length > REASON_MAX)
    throw new UsageError(`The reason has more than ${REASON_MAX} characters.`)
  if ([...actor].length > BY_MAX) throw new UsageError(`The name has more than ${BY_MAX} characters.`)
  return { reason, by: actor }
}

function parseRefundDecision(values: DecisionFlags): RefundDecision {
  const { as } = values
  if (as !== 'succeeded' && as !== 'failed') throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  return { as, ...parseReason(values) }
}

function parseCharge(values: DecisionFlags): ChargeChoice {
  const { charge: chargeId = '' } = values
  if (chargeId === '') throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  return { chargeId, ...parseReason(values) }
}

function parseDecision(values: DecisionFlags): Decision {
  const as = resolutions.safeParse(values.as)
  if (values.as === 'refund')
    throw new RefusedError(
      'A refund is not a decision: refund the charge with "payments refund-charge", then resolve as paid or unpaid.',
    )
  const isForced = values.force === true
  if (!as.success || (isForced && as.data !== 'paid'))
    throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  return { as: as.data, ...parseReason(values), isForced }
}

const FLAGS = {
  as: { type: 'string' },
  reason: { type: 'string' },
  by: { type: 'string' },
  force: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  seen: { type: 'string' },
  yes: { type: 'boolean' },
  charge: { type: 'string' },
} as const

const FLAGS_BY_VERB: ReadonlyMap<string, readonly (keyof typeof FLAGS)[]> = new Map([
  ['find', []],
  ['show', []],
  ['resolve', ['as', 'reason', 'by', 'force', 'dry-run', 'seen', 'yes']],
  ['refund-charge', ['charge', 'reason', 'by']],
  ['resolve-refund', ['as', 'reason', 'by', 'dry-run', 'seen', 'yes']],
])

export const payments: Command = {
  name: 'payments',
  usage: USAGE,
  summary:
    'find a payment by any id or text, show its whole history, resolve its review, refund one of its charges, or end a refund',
  details: DETAILS,
  async run(deps, args) {
    const [verb = '', ...rest] = args
    const { values, positionals } = parseFlags(USAGE, rest, FLAGS)
    const [text, ...more] = positionals
    const usedFlags = FLAGS_BY_VERB.get(verb)
    if (!usedFlags || text === undefined || more.length > 0)
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    refuseUnusedFlags(USAGE, `payments ${verb}`, values, usedFlags)
    if (verb === 'find') return listMatching(deps, text)
    if (verb === 'show') return show(deps, await requireOnePayment(deps, text))
    const { seen = null, yes: isSure = false, 'dry-run': isDry = false } = values
    const options = { isDry, evidenceCode: seen, isSure }
    if (verb === 'resolve-refund') return resolveOneRefund(deps, text, parseRefundDecision(values), options)
    if (verb === 'refund-charge') {
      const charge = parseCharge(values)
      return refundOneCharge(deps, await requireOnePayment(deps, text, { isExact: true }), charge)
    }
    const decision = parseDecision(values)
    const { id } = await requireOnePayment(deps, text, { isExact: true })
    return resolve(deps, id, decision, options)
  },
}
