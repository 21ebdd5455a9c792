// The cost of a list query is measured in database pages. Unlike a duration, the number of pages does not depend on the
// machine, and the number grows if an index is missing.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TransactionFilters } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { addPayProject } from '../../../test/payer.ts'
import { startPayments } from '../../../test/payments.ts'
import { insertManyPayments } from '../../../test/transactions.ts'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { countFound, probeCandidates, readStoredTotal } from './list-count-store.ts'
import { toListFilter } from './list-filter.ts'
import type { ListFilter } from './list-filter.ts'
import { findPage } from './list-store.ts'
import type { PageWindow } from './list-store.ts'
import { findOrderState, findStatusFacts } from './status-store.ts'

const FEW = 300
const MANY = 30_000

const { deps } = await startPayments()
let projectWithFew: string
let projectWithMany: string

before(async () => {
  projectWithFew = (await addPayProject(deps)).id
  projectWithMany = (await addPayProject(deps)).id
  await insertManyPayments(deps, projectWithFew, FEW)
  await insertManyPayments(deps, projectWithMany, MANY)
  await rows(deps.db, 'vacuum analyze transactions')
})

interface PlanNode {
  'Node Type': string
  'Subplan Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

async function explain(read: (db: Queryable) => Promise<unknown>): Promise<PlanNode[]> {
  const plans: PlanNode[] = []
  await read({
    async query<Row extends object>(given: { name: string; text: string }, values: readonly unknown[] = []) {
      const text = `explain (analyze, buffers, format json) ${given.text}`
      type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] }
      const [explained] = await deps.db.query<Explained>(statement(`x.${given.name}`, text), values)
      plans.push(explained!['QUERY PLAN'][0].Plan)
      return deps.db.query<Row>(given, values)
    },
  })
  return plans
}

async function countBlocks(read: (db: Queryable) => Promise<unknown>): Promise<number> {
  const plans = await explain(read)
  return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0)
}

function toNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(toNodes)]
}

const FIRST_PAGE: PageWindow = { by: 'order', after: null, offset: 0, limit: 21 }

type Read = (db: Queryable, filter: ListFilter) => Promise<unknown>
const readPage =
  (window: Partial<PageWindow> = {}): Read =>
  (db, filter) =>
    findPage(db, filter, { ...FIRST_PAGE, ...window })

const listQueries: [name: string, filters: TransactionFilters, read: Read][] = [
  ['the first page', {}, readPage()],
  ['the first page of one mode', { mode: 'live' }, readPage()],
  ['the first page, oldest first', { order: 'oldest' }, readPage()],
  ['the payments of one state, oldest first', { state: 'failed', order: 'oldest' }, readPage()],
  ['refunded payments, oldest first', { refunded: true, order: 'oldest' }, readPage()],
  ['the payments of one state', { state: 'failed' }, readPage()],
  ['a state without payments', { state: 'expired' }, readPage()],
  ['the payments of one customId', { customId: 'order-120' }, readPage()],
  ['the payments since a time', { from: '2020-01-01T00:00:00Z' }, readPage()],
  [
    'a range of end times',
    { completedFrom: '2026-01-01T00:00:00Z', completedTo: '2026-02-01T00:00:00Z' },
    readPage({ by: 'candidates' }),
  ],
  [
    'the number of payments in a range of end times',
    { completedFrom: '2100-01-01T00:00:00Z' },
    probeCandidates,
  ],
  ['a range of end times with many matches', { completedTo: '2100-01-01T00:00:00Z' }, readPage()],
  ['refunded payments', { refunded: true }, readPage()],
  ['the number of refunded payments', { refunded: true }, countFound],
  ['disputed payments', { disputed: true }, readPage()],
  ['payments of which nothing was refunded', { refunded: false }, readPage()],
  ['payments in review', { needsReview: true }, readPage()],
  ['the number of payments in review of one state', { state: 'failed', needsReview: true }, countFound],
  ['failed payments that are not in review', { state: 'failed', needsReview: false }, readPage()],
  ['a search by customId', { q: 'order-120' }, readPage({ by: 'candidates' })],
  ['a search by reference', { q: '12345-67890' }, readPage({ by: 'candidates' })],
  ['a search by id', { q: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f' }, readPage({ by: 'candidates' })],
  ['a search that matches nearly everything', { q: 'order' }, readPage()],
  ['the total of a project', {}, readStoredTotal],
  ['the total of a state', { state: 'succeeded' }, readStoredTotal],
  ['the total of a customId', { customId: 'order-120' }, countFound],
  // While a list is open in the portal, the portal polls every few seconds for payments newer than the first row.
  ['payments newer than the newest one shown', { mode: 'live', from: '2100-01-01T00:00:00Z' }, readPage()],
  [
    'the number of payments newer than the newest one shown',
    { mode: 'live', from: '2100-01-01T00:00:00Z' },
    countFound,
  ],
  ['the number of matches of a search', { q: 'order-120' }, probeCandidates],
]

for (const [name, filters, read] of listQueries) {
  test(`this query costs about the same with a hundred times as many payments: ${name}`, async () => {
    // The factor allows for an index with more levels, and for more matches: a search for order-120 also finds
    // order-1200. The 120 pages that are added below are a reserve for queries that touch few pages.
    const allowance = 2.5
    const [small, large] = [
      await countBlocks((db) => read(db, toListFilter([projectWithFew], filters))),
      await countBlocks((db) => read(db, toListFilter([projectWithMany], filters))),
    ]
    assert.ok(large <= small * allowance + 120, `${small} pages with ${FEW} payments, ${large} with ${MANY}`)
    assert.ok(large < 800, `${large} pages`)
  })
}

for (const order of ['newest', 'oldest'] as const) {
  test(`a page near the end of a list, ${order} first, is found with index scans only: nothing is sorted, and no table is scanned`, async () => {
    const filter = toListFilter([projectWithFew, projectWithMany], { order })
    const [plan] = await explain((db) => findPage(db, filter, { ...FIRST_PAGE, offset: MANY - 100 }))
    const pageNode = toNodes(plan!).find((node) => node['Subplan Name'] === 'CTE page')
    const types = toNodes(pageNode!).map((node) => node['Node Type'])
    assert.deepEqual(new Set(types), new Set(['Limit', 'Merge Append', 'Index Only Scan']))
  })
}

test('a status check touches fewer than 40 pages, both in a project with few payments and in a project with many payments', async () => {
  for (const projectId of [projectWithFew, projectWithMany]) {
    const pages = await countBlocks((db) => findStatusFacts(db, projectId, 'order-120'))
    assert.ok(pages < 40, `${pages} pages`)
    const orderStatePages = await countBlocks((db) => findOrderState(db, projectId, 'live', 'order-150'))
    assert.ok(orderStatePages < 40, `${orderStatePages} pages`)
  }
})
