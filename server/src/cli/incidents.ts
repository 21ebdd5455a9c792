import { catalogue } from '@pazar/words'
import { ServiceError } from '../lib/service-error.ts'
import { toReference } from '../payments/payment.ts'
import type { Incident } from '../payments/incidents-store.ts'
import { findIncident, listIncidents } from '../payments/incidents-store.ts'
import { closeIncident } from '../payments/incidents.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

const USAGE = 'incidents list [--all] | show <number> | close <number>'
/** A screenful or two; whoever has more open than this needs the upstream mended first. */
const LIST_MAX = 100

function toLine(incident: Incident): string {
  const closed = incident.closedAt ? ', closed' : ''
  const about = incident.transactionId ? toReference(incident.transactionId) : incident.subject
  const times = incident.times === 1 ? '' : ` ×${incident.times}`
  return `${incident.id}  ${incident.createdAt.toISOString()}  ${incident.kind}${times}${closed}  ${about}`
}

function toText(incident: Incident): string {
  const facts = Object.entries(incident.facts).map(([name, value]) => `  ${name}: ${value ?? '-'}`)
  return [
    `Incident ${incident.id}: ${catalogue('en').incidents[incident.kind]}`,
    `  transaction: ${incident.transactionId ?? '-'}`,
    `  first: ${incident.createdAt.toISOString()}`,
    `  last: ${incident.lastAt.toISOString()}, ${incident.times} in all`,
    `  closed: ${incident.closedAt?.toISOString() ?? '-'}`,
    ...facts,
  ].join('\n')
}

async function list(deps: Deps, withClosed: boolean): Promise<string> {
  const found = await listIncidents(deps.db, { withClosed, limit: LIST_MAX })
  return found.length === 0 ? 'None.' : found.map(toLine).join('\n')
}

async function show(deps: Deps, id: number): Promise<string> {
  const found = await findIncident(deps.db, id)
  if (!found) throw new UsageError(`There is no incident ${id}.`)
  return toText(found)
}

async function close(deps: Deps, id: number): Promise<string> {
  try {
    return toText(await closeIncident(deps, id))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new UsageError(`There is no incident ${id}.`)
  }
}

export const incidents: Command = {
  name: 'incidents',
  usage: USAGE,
  summary:
    'what the upstream and this service disagree about; closing the last one of a payment ends its review',
  async run(deps, args) {
    const [verb, what, ...more] = args
    if (verb === 'list' && more.length === 0 && (what === undefined || what === '--all'))
      return list(deps, what === '--all')
    const id = /^[1-9]\d{0,8}$/.test(what ?? '') ? Number(what) : null
    if (id === null || more.length > 0 || (verb !== 'show' && verb !== 'close'))
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    return verb === 'show' ? show(deps, id) : close(deps, id)
  },
}
