// The result of each scenario, and the printed table.
import type { Verdict } from './books.ts'

/**
 * The promise: each replica serves within this time. The time begins when the database accepts writes again, or when the
 * replica starts.
 */
export const SERVES_WITHIN_SEC = 30

export interface Result {
  scenario: string
  /** How many requests were sent through nginx or the balancer of the upgrade drill. */
  requests: number
  failures: readonly string[]
  mayShowErrors: boolean
  /** How long the database accepted no writes from the service. Null if the scenario did not disrupt the database. */
  databaseSec: number | null
  /** The time until the slowest replica served. It begins when the database is back, or when the replica starts. */
  servedSec: number | null
  verdict: Verdict
}

export function findFaults({ failures, mayShowErrors, servedSec, verdict }: Result): string[] {
  const isLate = servedSec !== null && servedSec > SERVES_WITHIN_SEC
  return [
    ...(mayShowErrors ? [] : failures.map((one) => `request failed: ${one}`)),
    ...(isLate ? [`a replica served again only after ${servedSec.toFixed(1)} s`] : []),
    ...(verdict.payments === 0 ? ['no payment was made'] : []),
    ...verdict.lost.map((one) => `lost: ${one}`),
    ...verdict.chargedTwice.map((one) => `charged twice: ${one}`),
    ...verdict.stuck.map((one) => `stuck: ${one}`),
    ...verdict.wrongResults.map((one) => `wrong result: ${one}`),
  ]
}

const HEADINGS = [
  'scenario',
  'payments',
  'requests',
  'failed',
  'database back',
  'served again',
  'lost',
  'charged twice',
  'stuck',
  'wrong',
  'repeats',
  'result',
]

const toSeconds = (seconds: number | null): string => (seconds === null ? '-' : `${seconds.toFixed(1)} s`)

function toCells(result: Result): string[] {
  const { verdict } = result
  return [
    result.scenario,
    ...[verdict.payments, result.requests, result.failures.length].map(String),
    toSeconds(result.databaseSec),
    toSeconds(result.servedSec),
    ...[verdict.lost, verdict.chargedTwice, verdict.stuck, verdict.wrongResults].map((one) =>
      String(one.length),
    ),
    String(verdict.repeats),
    findFaults(result).length === 0 ? 'pass' : 'FAIL',
  ]
}

export function toTable(results: readonly Result[]): string {
  const lines = [HEADINGS, ...results.map(toCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)))
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head = [], ...rest] = lines
  return [
    toLine(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rest.map(toLine),
  ].join('\n')
}
