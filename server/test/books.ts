// Reads the monthly statement of a project, and adds refund and dispute events to the project's feed.
import assert from 'node:assert/strict'
import type { StatementView } from '@pazar/contract'
import type { Db } from '../src/db/pool.ts'
import { addEvent } from '../src/feed/inbox-store.ts'
import { rows } from './accounts.ts'
import type { Client } from './client.ts'

/** `query` adds parameters to the URL, for example `&mode=test`. */
export interface Books {
  readStatement: (query?: string) => Promise<StatementView>
  readCsv: (query?: string) => Promise<Record<string, string>[]>
}

export function toMonth(date: Date): string {
  return date.toISOString().slice(0, 7)
}

export function openBooks(owner: Client, projectId: string, month: string): Books {
  const get = async (query: string) => {
    const response = await owner.get(`/portal/api/projects/${projectId}/statement?month=${month}${query}`)
    assert.equal(response.status, 200, response.text)
    return response
  }
  return {
    readStatement: async (query = '') => (await get(query)).json<StatementView>(),
    readCsv: async (query = '') => {
      const [head = '', ...lines] = (await get(`&format=csv&lang=en${query}`)).text
        .replace('\uFEFF', '')
        .trimEnd()
        .split('\r\n')
      const columns = head.split(',')
      return lines.map((line) => {
        const cells = line.split(',')
        return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
      })
    },
  }
}

export function sumAmounts(lines: readonly Record<string, string>[]): bigint {
  return lines.reduce((sum, { amount }) => sum + BigInt(amount!), 0n)
}

const EVENT_TIME = '2026-11-16T12:00:00.000Z'

interface Subject {
  projectId: string
  transactionId: string
  amount: bigint
}

export async function addRefundEvent(
  db: Db,
  { projectId, transactionId, amount }: Subject,
  refundId: string,
  state: 'succeeded' | 'failed' | 'returned',
): Promise<void> {
  const facts = {
    amount: amount.toString(),
    state,
    failureCode: null,
    origin: 'api',
    refundedTotal: '0',
    upstreamRef: `up_${refundId}`,
    createdAt: EVENT_TIME,
    completedAt: EVENT_TIME,
  } as const
  const subject = { projectId, mode: 'live', transactionId } as const
  await db.transaction((tx) => addEvent(tx, { ...subject, type: 'refund.result', refundId, facts }))
}

export async function addDisputeEvent(
  db: Db,
  { projectId, transactionId, amount }: Subject,
  disputeId: string,
  state: 'inquiry' | 'open' | 'won' | 'lost',
): Promise<void> {
  const isClosed = state === 'won' || state === 'lost'
  const facts = {
    amount: amount.toString(),
    state,
    reason: null,
    respondBy: null,
    openedAt: EVENT_TIME,
    closedAt: isClosed ? EVENT_TIME : null,
  }
  const subject = { projectId, mode: 'live', transactionId } as const
  const type = isClosed ? 'dispute.closed' : 'dispute.opened'
  await db.transaction((tx) => addEvent(tx, { ...subject, type, disputeId, facts }))
}

/** Sets the time of the project's unpublished events. */
export async function moveWaitingEvents(db: Db, projectId: string, at: string): Promise<void> {
  await rows(db, 'update feed_inbox set at = $2 where project_id = $1', [projectId, at])
}
