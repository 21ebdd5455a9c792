// Asks upstreams now what the reconciler asks by itself, and says what came of it.
import type { Asked } from '../payments/ask-upstream.ts'
import { askUpstream, peekUpstream } from '../payments/ask-upstream.ts'
import { listOpen } from '../payments/checks-store.ts'
import type { Payment } from '../payments/payment.ts'
import { toReference } from '../payments/payment.ts'
import { takeLookups } from '../payments/take-lookups.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, toCell, toTable, UsageError } from './command.ts'
import { requireOne, toStanding } from './payments.ts'

const USAGE = 'reconcile [--transaction <payment>] [--dry-run]'
/** A person waits for the table. What is left out is asked by the service itself. */
const ASKED_MAX = 500
/** Few enough that payers' own requests do not notice. */
const AT_ONCE = 4

const DETAILS = `Without --transaction every open payment is asked about, those that have waited longest first, at most ${ASKED_MAX}. With it, the
one payment is asked about, also when it has ended: a report that does not fit puts it in review.
  --dry-run   asks, and records nothing

The table says what the upstream reported and how the payment stands after it. Exit codes: 0 each was answered, 1 at least
one was not, 2 the call is wrong.`

type Found = Omit<Asked, 'isCharged'>

async function ask(deps: Deps, payment: Payment, isDry: boolean): Promise<Found> {
  return isDry ? { ...(await peekUpstream(deps, payment)), payment } : askUpstream(deps, payment)
}

async function askAll(deps: Deps, open: readonly Payment[], isDry: boolean): Promise<Found[]> {
  const asked: Found[] = []
  for (let from = 0; from < open.length; from += AT_ONCE)
    asked.push(...(await Promise.all(open.slice(from, from + AT_ONCE).map((one) => ask(deps, one, isDry)))))
  return asked
}

/** As many of each upstream as its quota has left. */
async function withinQuota(deps: Deps, open: readonly Payment[]): Promise<Payment[]> {
  const byUpstream = Map.groupBy(open, ({ backend }) => backend)
  const parts = await Promise.all(
    [...byUpstream].map(async ([backend, list]) =>
      list.slice(0, await takeLookups(deps, backend, list.length)),
    ),
  )
  return parts.flat()
}

function toRows(before: readonly Payment[], asked: readonly Found[]): string[][] {
  return asked.map(({ payment, said, why }, index) => {
    const was = before[index]!
    const change = was.state === payment.state ? payment.state : `${was.state} → ${payment.state}`
    return [
      payment.id,
      toReference(payment.id),
      payment.backend,
      toCell(why ?? said, 60),
      change,
      toStanding(payment),
    ]
  })
}

export const reconcile: Command = {
  name: 'reconcile',
  usage: USAGE,
  summary: 'ask the upstream now about one payment, or about all that are open',
  details: DETAILS,
  async run(deps, args) {
    const flags = { transaction: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
    const { values, positionals } = parseFlags(USAGE, args, flags)
    if (positionals.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    const open =
      values.transaction === undefined
        ? await listOpen(deps.db, ASKED_MAX)
        : [await requireOne(deps, values.transaction)]
    if (open.length === 0) return 'No payment is open.'
    const before = values.transaction === undefined ? await withinQuota(deps, open) : open
    const asked = await askAll(deps, before, values['dry-run'] === true)
    const heads = ['TRANSACTION', 'REFERENCE', 'UPSTREAM', 'REPORTED', 'STATE', 'COUNTS AS']
    const silent = asked.filter(({ said }) => said === 'no response').length
    const text = [
      toTable([heads, ...toRows(before, asked)]),
      `${asked.length} asked about, ${silent} without a response.`,
      ...(before.length < open.length
        ? [`${open.length - before.length} left to the service, which asks within the upstream's quota.`]
        : []),
      ...(values['dry-run'] ? ['Dry run: nothing was recorded.'] : []),
    ].join('\n')
    return { text, exitCode: silent > 0 ? 1 : 0 }
  },
}
