import { catalogue } from '@pazar/words'
import { findStoppedSince, GateClosedError } from '../db/gate-view.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Incident } from '../payments/incidents-store.ts'
import { countIncidents, findIncident, listIncidents } from '../payments/incidents-store.ts'
import { closeIncident, InReviewError } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import { isFinal, toReference } from '../payments/payment.ts'
import { findPayment, findPaymentsById } from '../payments/payments-store.ts'
import type { Deps } from '../wire.ts'
import { toEndingCommand, toReconcileCommand } from './advice.ts'
import type { Command } from './command.ts'
import { parseFlags, refuseUnusedFlags, RefusedError, toCell, UsageError } from './command.ts'

const USAGE = 'incidents list [--all] [--limit n] | show <number> | close <number> [--dry-run]'
const LIST_MAX = 100

const DETAILS = `list prints one line per incident, newest first, followed by the command that ends it. --all: also closed incidents.
  --limit n   at most n incidents instead of ${LIST_MAX}; the last line says how many older ones there are
close is for incidents that were dealt with elsewhere; it does not change whether a payment counts as paid. An incident of a
payment that is open or in review cannot be closed: "payments resolve" decides about the payment, and closes the incident. While
payments are stopped, the incident "restored" cannot be closed either: "reconcile --since" starts payments again and closes it.
  --dry-run   says what would happen and changes nothing

Exit codes: 0 done, 1 refused, 2 wrong usage.`

interface ListedIncident {
  incident: Incident
  payment: Payment | null
  stoppedSince: Date | null
}

function toLine({ incident, payment, stoppedSince }: ListedIncident): string {
  const closed = incident.closedAt ? ', closed' : ''
  const subject = incident.transactionId ? toReference(incident.transactionId) : toCell(incident.subject, 128)
  const times = incident.times === 1 ? '' : ` ×${incident.times}`
  const line = `${incident.id}  ${incident.createdAt.toISOString()}  ${incident.kind}${times}${closed}  ${subject}`
  return incident.closedAt ? line : `${line}\n   ${toEndingCommand(incident, payment, stoppedSince)}`
}

/** `said`, `saidCharge` and so on are stored names: what the upstream reported. */
function toFactLabel(name: string): string {
  if (name === 'said') return 'the upstream reported'
  return name.replace(/^said([A-Z].*)$/, (_, field: string) => `reported ${field.toLowerCase()}`)
}

function toText({ incident, payment, stoppedSince }: ListedIncident): string {
  const facts = Object.entries(incident.facts).map(
    ([name, value]) => `  ${toFactLabel(name)}: ${value ?? '-'}`,
  )
  return [
    `Incident ${incident.id}: ${catalogue('en').incidents[incident.kind]}`,
    `  transaction: ${incident.transactionId ?? '-'}`,
    `  first: ${incident.createdAt.toISOString()}`,
    `  last: ${incident.lastAt.toISOString()}, ${incident.times} in all`,
    `  closed: ${incident.closedAt?.toISOString() ?? '-'}`,
    ...facts,
    ...(incident.closedAt ? [] : [`To end it: ${toEndingCommand(incident, payment, stoppedSince)}`]),
    ...(payment ? [`Its history: npm run pazar -- payments show ${payment.id}`] : []),
  ].join('\n')
}

async function showList(deps: Deps, withClosed: boolean, limit: number): Promise<string> {
  const found = await listIncidents(deps.db, { withClosed, limit })
  const total = found.length < limit ? found.length : await countIncidents(deps.db, withClosed)
  const ids = found.flatMap(({ transactionId }) => transactionId ?? [])
  const paymentsById = new Map((await findPaymentsById(deps.db, ids)).map((one) => [one.id, one]))
  const stoppedSince = await findStoppedSince(deps.db)
  const lines = found.map((incident) =>
    toLine({ incident, payment: paymentsById.get(incident.transactionId ?? '') ?? null, stoppedSince }),
  )
  const older = total - found.length
  if (older > 0) lines.push(`… and ${older} more, all older; --limit ${total} lists them too`)
  return lines.length === 0 ? 'None.' : lines.join('\n')
}

async function requireIncident(deps: Deps, id: number): Promise<ListedIncident> {
  const incident = await findIncident(deps.db, id)
  if (!incident) throw new RefusedError(`There is no incident ${id}.`)
  const { transactionId } = incident
  const payment = transactionId === null ? null : await findPayment(deps.db, transactionId)
  return { incident, payment, stoppedSince: await findStoppedSince(deps.db) }
}

function toInReviewError(incident: Incident, { id }: Payment): RefusedError {
  return new RefusedError(
    `Incident ${incident.id} is about a payment in review: closing it would not decide whether the payment counts as paid. Instead: npm run pazar -- payments resolve ${id} --as paid|unpaid --reason "…"`,
  )
}

function toStoppedError(since: Date): RefusedError {
  return new RefusedError(`Payments are stopped; this incident ends with: ${toReconcileCommand(since)}`)
}

async function closeOne(deps: Deps, id: number, isDry: boolean): Promise<string> {
  const found = await requireIncident(deps, id)
  const { incident, payment, stoppedSince } = found
  // A closed incident is not opened again by the same report, so the open payment would be forgotten.
  if (payment && !isFinal(payment.state))
    throw new RefusedError(
      `Incident ${id} is about a payment that is still open; closing it would not end the payment. Instead: ${toEndingCommand(incident, payment)}`,
    )
  if (payment?.needsReview) throw toInReviewError(incident, payment)
  if (incident.kind === 'restored' && stoppedSince !== null) throw toStoppedError(stoppedSince)
  if (isDry) return `${toText(found)}\nDry run: it would be closed; nothing was changed.`
  try {
    return toText({ ...found, incident: await closeIncident(deps, id) })
  } catch (error) {
    if (error instanceof InReviewError && payment) throw toInReviewError(incident, payment)
    if (error instanceof GateClosedError)
      throw toStoppedError((await findStoppedSince(deps.db)) ?? incident.createdAt)
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new RefusedError(`There is no incident ${id}.`)
  }
}

const FLAGS_BY_VERB: ReadonlyMap<string, readonly string[]> = new Map([
  ['list', ['all', 'limit']],
  ['show', []],
  ['close', ['dry-run']],
])

export const incidents: Command = {
  name: 'incidents',
  usage: USAGE,
  summary: 'list and close incidents, each with the command that ends it',
  details: DETAILS,
  async run(deps, args) {
    const flags = {
      all: { type: 'boolean' },
      limit: { type: 'string' },
      'dry-run': { type: 'boolean' },
    } as const
    const { values, positionals } = parseFlags(USAGE, args, flags)
    const [verb = '', what, ...more] = positionals
    const usedFlags = FLAGS_BY_VERB.get(verb)
    if (!usedFlags) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    refuseUnusedFlags(USAGE, `incidents ${verb}`, values, usedFlags)
    const { all = false, 'dry-run': isDry = false } = values
    const isLimit = values.limit === undefined || /^[1-9]\d{0,5}$/.test(values.limit)
    if (verb === 'list' && what === undefined && isLimit)
      return showList(deps, all, Number(values.limit ?? LIST_MAX))
    const id = /^[1-9]\d{0,8}$/.test(what ?? '') ? Number(what) : null
    if (id === null || more.length > 0 || verb === 'list')
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    return verb === 'show' ? toText(await requireIncident(deps, id)) : closeOne(deps, id, isDry)
  },
}
