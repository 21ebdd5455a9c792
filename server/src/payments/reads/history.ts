import type { Attempt, Delivery } from '../../deliveries/delivery.ts'
import { findAttempts, findDeliveriesOfTransaction } from '../../deliveries/log-store.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { PaymentDeps } from '../deps.ts'
import type { PaymentRecord } from './history-store.ts'
import { findPaymentRecord } from './history-store.ts'
import type { Incident, IncidentFacts } from '../incidents-store.ts'
import { listIncidentsOf } from '../incidents-store.ts'
import type { StoredReport } from '../reports-store.ts'
import { listReports, REPORTS_MAX } from '../reports-store.ts'

export interface History {
  record: PaymentRecord
  reports: StoredReport[]
  incidents: Incident[]
  callbacks: { delivery: Delivery; attempts: Attempt[] }[]
}

export async function readHistory(deps: Pick<PaymentDeps, 'db'>, id: string): Promise<History> {
  const record = await findPaymentRecord(deps.db, id)
  if (!record) throw new ServiceError('not_found')
  const { projectId } = record.payment
  const deliveries = await findDeliveriesOfTransaction(deps.db, id)
  const callbacks = await Promise.all(
    deliveries.map(async (delivery) => ({
      delivery,
      attempts: await findAttempts(deps.db, projectId, delivery.id),
    })),
  )
  const [reports, incidents] = await Promise.all([listReports(deps.db, id), listIncidentsOf(deps.db, id)])
  return { record, reports, incidents, callbacks }
}

export interface HistoryEvent {
  at: Date
  text: string
}

const times = (count: number, last: Date) =>
  count === 1 ? '' : `, ${count} times, last ${last.toISOString()}`

function toStates({ payment, actionAt, completedAt, resolvedBy, resolutionReason }: PaymentRecord) {
  const code = payment.failureCode === null ? '' : ` (${payment.failureCode})`
  const events: [Date | null, string][] = [
    [payment.createdAt, 'state: processing'],
    [actionAt, 'state: requires_action'],
    [completedAt, `state: ${payment.state}${code}`],
    [payment.resolvedAt, `resolved as ${payment.resolution} by ${resolvedBy}: ${resolutionReason}`],
  ]
  return events.flatMap(([at, text]) => (at === null ? [] : [{ at, text }]))
}

function toReportText(facts: IncidentFacts, id: string): string {
  const amount = facts['saidAmount'] ? ` ${facts['saidAmount']} ${facts['saidCurrency']}` : ''
  const charge = facts['saidCharge'] ? `, charge ${facts['saidCharge']}` : ''
  const project = facts['saidProject'] ? `, project ${facts['saidProject']}` : ''
  const otherPayment = facts['saidId'] && facts['saidId'] !== id ? `, payment ${facts['saidId']}` : ''
  return `${facts['said']}${amount}${charge}${project}${otherPayment}`
}

function toReportEvent({ facts, times: count, firstAt, lastAt }: StoredReport, id: string): HistoryEvent {
  if (facts === null) {
    const text = `upstream sent ${count} more ${count === 1 ? 'report' : 'reports'}`
    const last = count === 1 ? '' : `, the last at ${lastAt.toISOString()}`
    return { at: firstAt, text: `${text}${last}; only the first ${REPORTS_MAX} are stored` }
  }
  return { at: firstAt, text: `upstream reported: ${toReportText(facts, id)}${times(count, lastAt)}` }
}

function toIncidentEvents({ id, kind, times: count, createdAt, lastAt, closedAt }: Incident): HistoryEvent[] {
  const raised = { at: createdAt, text: `incident ${id} raised: ${kind}${times(count, lastAt)}` }
  return closedAt ? [raised, { at: closedAt, text: `incident ${id} closed` }] : [raised]
}

function toCallbackEvents({ delivery, attempts }: History['callbacks'][number]): HistoryEvent[] {
  const { id, event, result, status, createdAt, deliveredAt } = delivery
  const about = event === 'payment.result' ? result : [event, result].filter(Boolean).join(' ')
  const isWaiting = deliveredAt === null
  return [
    { at: createdAt, text: `callback ${id}: ${about}${isWaiting ? `, ${status}` : ''}` },
    ...attempts.map(({ attempt, startedAt, outcome, statusCode, error }) => ({
      at: startedAt,
      text: `callback ${id} attempt ${attempt}: ${outcome}${statusCode === null ? '' : ` ${statusCode}`}${error === null ? '' : ` (${error})`}`,
    })),
    ...(isWaiting ? [] : [{ at: deliveredAt, text: `callback ${id} delivered` }]),
  ]
}

/** Oldest first. If times are equal, the order is: states, reports, incidents, callbacks. */
export function toEvents({ record, reports, incidents, callbacks }: History): HistoryEvent[] {
  return [
    ...toStates(record),
    ...reports.map((report) => toReportEvent(report, record.payment.id)),
    ...incidents.flatMap(toIncidentEvents),
    ...callbacks.flatMap(toCallbackEvents),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
