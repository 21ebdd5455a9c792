// Looks payments up now, without waiting for the reconciler (the service's loop that looks up open payments).
// What `--since` does is in reconcile-since.ts.
import { requireOpenGate } from '../db/gate-view.ts'
import type { LookupResult } from '../payments/lookup-now.ts'
import { lookUpNow, previewLookup } from '../payments/lookup-now.ts'
import { listOpen } from '../payments/checks-store.ts'
import type { Payment } from '../payments/payment.ts'
import { toReference } from '../payments/payment.ts'
import { claimLookups } from '../payments/claim-lookups.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, refuseUnusedFlags, toCell, toTable, UsageError } from './command.ts'
import { requireOnePayment, toStatusText } from './payments.ts'
import { reconcileFrom } from './reconcile-since.ts'

const USAGE =
  'reconcile [--transaction <payment> | --since <time> [--accept-unlisted] [--accept-failed]] [--dry-run]'
/** The number is limited, because an operator waits for the table. The reconciler looks up the other open payments. */
const LOOKUPS_MAX = 500
/** This number is low, so that lookups do not slow down the requests of payers. */
const CONCURRENCY = 4

const DETAILS = `Without --transaction, at most ${LOOKUPS_MAX} open payments are looked up, starting with the one whose next lookup is due first.
With --transaction only that payment is looked up, even if it has ended: a report that does not match puts it in review. While
payments are stopped after a restore, a lookup needs --dry-run.
  --dry-run   looks up but records nothing

With --since, after a restore from a backup: reads payments, open sessions, refunds and disputes that the upstreams list since
that time (ISO 8601, such as 2026-11-16T12:00:00Z) and stores those that are missing here. A charge is stored in review if
another payment of its order is open or paid. A charge that belongs to no project here is an incident (orphan_charge). If everything was
read and stored, payments, refunds and callbacks go on. Running it again changes nothing.
  --accept-unlisted   go on although an upstream does not list its payments, lists charges without our metadata, or is not configured here
  --accept-failed     go on although something could not be read or stored; it becomes an incident

Without --since, the table shows the upstream's report and the payment's state after it. Exit codes: 0 every lookup got a response,
1 at least one did not, 2 wrong usage. With --since, 1 means that the lists could not be read to their end, or that
a problem keeps payments stopped; the output says which.`

type LookupRow = Omit<LookupResult, 'isCharged'>

async function lookUp(deps: Deps, payment: Payment, isDry: boolean): Promise<LookupRow> {
  return isDry ? { ...(await previewLookup(deps, payment)), payment } : lookUpNow(deps, payment)
}

async function lookUpAll(deps: Deps, open: readonly Payment[], isDry: boolean): Promise<LookupRow[]> {
  const found: LookupRow[] = []
  for (let from = 0; from < open.length; from += CONCURRENCY)
    found.push(
      ...(await Promise.all(open.slice(from, from + CONCURRENCY).map((one) => lookUp(deps, one, isDry)))),
    )
  return found
}

async function claimWithinQuota(deps: Deps, open: readonly Payment[]): Promise<Payment[]> {
  const byUpstream = Map.groupBy(open, ({ backend }) => backend)
  const parts = await Promise.all(
    [...byUpstream].map(async ([backend, list]) =>
      list.slice(0, await claimLookups(deps, backend, list.length)),
    ),
  )
  return parts.flat()
}

function toRows(paymentsBefore: readonly Payment[], found: readonly LookupRow[]): string[][] {
  return found.map(({ payment, reported, noResponseReason }, index) => {
    const earlier = paymentsBefore[index]!
    const change = earlier.state === payment.state ? payment.state : `${earlier.state} → ${payment.state}`
    return [
      payment.id,
      toReference(payment.id),
      payment.backend,
      toCell(noResponseReason ?? reported, 60),
      change,
      toStatusText(payment),
    ]
  })
}

export const reconcile: Command = {
  name: 'reconcile',
  usage: USAGE,
  summary: 'look up one payment, or all that are open, at the upstream now',
  details: DETAILS,
  async run(deps, args) {
    const flags = {
      transaction: { type: 'string' },
      since: { type: 'string' },
      'accept-unlisted': { type: 'boolean' },
      'accept-failed': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
    } as const
    const { values, positionals } = parseFlags(USAGE, args, flags)
    const isMixed = values.since !== undefined && values.transaction !== undefined
    if (positionals.length > 0 || isMixed) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (values.since !== undefined)
      return reconcileFrom(deps, values.since, {
        isDry: values['dry-run'] === true,
        acceptUnlisted: values['accept-unlisted'] === true,
        acceptFailed: values['accept-failed'] === true,
      })
    refuseUnusedFlags(USAGE, 'reconcile without --since', values, ['transaction', 'dry-run'])
    // While the restore gate is closed, rows that a lookup needs may be missing. Without them, a paid payment could end as
    // unpaid. Only --since stores the missing rows again.
    if (!values['dry-run']) await requireOpenGate(deps.db)
    const open =
      values.transaction === undefined
        ? await listOpen(deps.db, LOOKUPS_MAX)
        : [await requireOnePayment(deps, values.transaction)]
    if (open.length === 0) return 'No payment is open.'
    const claimed = values.transaction === undefined ? await claimWithinQuota(deps, open) : open
    const found = await lookUpAll(deps, claimed, values['dry-run'] === true)
    const columnHeads = ['TRANSACTION', 'REFERENCE', 'UPSTREAM', 'REPORTED', 'STATE', 'COUNTS AS']
    const withoutResponse = found.filter(({ reported }) => reported === 'no response').length
    const text = [
      toTable([columnHeads, ...toRows(claimed, found)]),
      `${found.length} looked up, ${withoutResponse} without a response.`,
      ...(claimed.length < open.length
        ? [
            `${open.length - claimed.length} left to the service, which looks them up within the upstream's quota.`,
          ]
        : []),
      ...(values['dry-run'] ? ['Dry run: nothing was recorded.'] : []),
    ].join('\n')
    return { text, exitCode: withoutResponse > 0 ? 1 : 0 }
  },
}
