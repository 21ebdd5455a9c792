// An audit entry stores no customId, because the copy would survive when the payment's customId is erased. The routes read
// the customId from the payment.
import { auditList, auditQuery, projectHistory, projectIdParams } from '@pazar/contract'
import type { AuditMoney, AuditPayment } from '@pazar/contract'
import type { AuditEntry } from '../../accounts/audit-store.ts'
import { listAudit, toAuditSubject } from '../../accounts/audit.ts'
import type { Guards } from '../../accounts/guards.ts'
import type { Queryable } from '../../db/pool.ts'
import { refusals } from '../../http/openapi.ts'
import type { Http } from '../../http/server.ts'
import { requireProject } from '../../projects/access.ts'
import { listProjects } from '../../projects/projects-store.ts'
import type { PaymentDeps } from '../deps.ts'
import type { Payment } from '../payment.ts'
import { findPaymentsById } from '../payments-store.ts'

const ERRORS = [
  'invalid_request',
  'forbidden_origin',
  'rate_limited',
  'unavailable',
  'unauthenticated',
] as const

export function registerAuditRoutes(app: Http, deps: PaymentDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const

  app.get(
    '/portal/api/audit',
    {
      ...session,
      schema: { hide: true, querystring: auditQuery, response: { 200: auditList, ...refusals(...ERRORS) } },
    },
    async (req) => {
      const { id: accountId } = guards.callerOf(req).account
      const scope = { accountId, about: req.query.about }
      const { items, nextCursor } = await listAudit(deps.db, scope, req.query)
      const toFacts = await readPayments(deps.db, items, async () => {
        // A person who has left a project still sees their own actions there, but no longer the project's payments.
        const projects = await listProjects(deps.db, accountId)
        return new Set(projects.map(({ id }) => id))
      })
      return {
        items: items.map((one) => ({
          ...one,
          at: one.at.toISOString(),
          subject: toAuditSubject(one),
          ...toFacts(one),
        })),
        nextCursor,
      }
    },
  )
  app.get(
    '/portal/api/projects/:id/history',
    {
      ...session,
      schema: {
        hide: true,
        params: projectIdParams,
        querystring: auditQuery,
        response: { 200: projectHistory },
      },
    },
    async (req) => {
      const { account } = guards.callerOf(req)
      const { id } = await requireProject(deps.db, account.id, req.params.id, 'read')
      const { items, nextCursor } = await listAudit(deps.db, { projectId: id }, req.query)
      const toFacts = await readPayments(deps.db, items, async () => new Set([id]))
      return {
        items: items.map((one) => ({
          at: one.at.toISOString(),
          action: one.action,
          actor: one.actor,
          person: one.person,
          changes: { ...one.changes },
          ...toFacts(one),
        })),
        nextCursor,
      }
    },
  )
}

function toPaymentId({ changes }: AuditEntry): string | null {
  const { transactionId } = changes
  return typeof transactionId === 'string' ? transactionId : null
}

async function readPayments(
  db: Queryable,
  entries: readonly AuditEntry[],
  findReadable: () => Promise<ReadonlySet<string>>,
): Promise<(entry: AuditEntry) => { money: AuditMoney | null; payment: AuditPayment | null }> {
  const ids = entries.map(toPaymentId).filter((id) => id !== null)
  const readable: ReadonlySet<string> = ids.length > 0 ? await findReadable() : new Set()
  const found = ids.length > 0 ? await findPaymentsById(db, ids) : []
  const payments = new Map(found.filter((one) => readable.has(one.projectId)).map((one) => [one.id, one]))
  return (entry) => {
    const payment = payments.get(toPaymentId(entry) ?? '') ?? null
    return { money: toMoney(entry, payment), payment: payment && toAuditPayment(payment) }
  }
}

function toMoney({ changes }: AuditEntry, payment: Payment | null): AuditMoney | null {
  const { amount = payment?.amount.toString(), currency = payment?.currency } = changes
  const { scale = payment?.scale } = changes
  if (typeof amount !== 'string' || typeof currency !== 'string') return null
  return { amount, currency, ...(typeof scale === 'number' && { scale }) }
}

function toAuditPayment({ id, mode, customId, data }: Payment): AuditPayment {
  return { id, mode, customId, data }
}
