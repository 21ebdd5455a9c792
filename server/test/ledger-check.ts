// Compares the upstream's charges with our payments and their callbacks, and finds orders that were paid twice. The
// result has one sentence per finding.
import assert from 'node:assert/strict'
import type { Queryable } from '../src/db/pool.ts'
import { rows } from './accounts.ts'
import type { UpstreamBooks } from './upstream-process.ts'

interface Row {
  id: string
  project_id: string
  mode: string
  custom_id: string | null
  amount: bigint
  currency: string
  state: string
  results: string[]
}

export interface Movement {
  paymentId: string
  amount: string
  currency: string
}

export async function listSandboxMovements(db: Queryable): Promise<Movement[]> {
  const found = await rows<{ id: string; amount: bigint; currency: string }>(
    db,
    "select id, amount, currency from sandbox_charges where status = 'succeeded'",
  )
  return found.map((row) => ({ paymentId: row.id, amount: String(row.amount), currency: row.currency }))
}

async function readPayments(db: Queryable): Promise<Row[]> {
  return rows<Row>(
    db,
    `select t.id, t.project_id, t.mode, t.custom_id, t.amount, t.currency, t.state,
       coalesce((select array_agg(c.result) from callback_states c
         where c.transaction_id = t.id and c.event = 'payment.result'), '{}') as results
     from transactions t`,
  )
}

const EXPECTED_RESULTS: Record<string, string[]> = {
  succeeded: ['success'],
  failed: ['fail'],
  expired: ['fail'],
  processing: [],
  requires_action: [],
}

function checkPayment(row: Row, charges: readonly Movement[]): string[] {
  const differences: string[] = []
  if (charges.length > 1) differences.push(`${row.id} was charged ${charges.length} times`)
  const [charge] = charges
  if (charge && row.state !== 'succeeded') differences.push(`${row.id} was charged but is ${row.state}`)
  if (!charge && row.state === 'succeeded') differences.push(`${row.id} succeeded but was never charged`)
  if (charge && (charge.amount !== String(row.amount) || charge.currency !== row.currency))
    differences.push(`${row.id} was charged ${charge.amount} ${charge.currency} instead of ${row.amount}`)
  if (row.results.join() !== EXPECTED_RESULTS[row.state]!.join())
    differences.push(`${row.id} is ${row.state} but has the callbacks [${row.results.join()}]`)
  return differences
}

function checkOrders(payments: readonly Row[]): string[] {
  const paid = payments.filter((row) => row.custom_id !== null && row.state === 'succeeded')
  const byOrder = Map.groupBy(paid, (row) => `${row.project_id} ${row.mode} ${row.custom_id}`)
  return [...byOrder].flatMap(([order, list]) =>
    list.length > 1 ? [`${order} was paid ${list.length} times`] : [],
  )
}

export async function findDifferences(db: Queryable, movements: readonly Movement[]): Promise<string[]> {
  const payments = await readPayments(db)
  const paymentIds = new Set(payments.map((row) => row.id))
  const charges = Map.groupBy(movements, (one) => one.paymentId)
  return [
    ...payments.flatMap((row) => checkPayment(row, charges.get(row.id) ?? [])),
    ...checkOrders(payments),
    ...[...charges.keys()]
      .filter((id) => !paymentIds.has(id))
      .map((id) => `${id} was charged but is not stored`),
  ]
}

export async function assertBooksAgree(db: Queryable, books?: UpstreamBooks): Promise<void> {
  const movements = [...(await listSandboxMovements(db)), ...(books?.charges ?? [])]
  assert.deepEqual(await findDifferences(db, movements), [])
}
