import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../wire.ts'

export interface Command {
  name: string
  usage: string
  summary: string
  details?: string
  /** Runs before the database is opened. A returned text is printed and ends the command; after null, `run` follows. */
  prepare?(config: Config, args: readonly string[]): Promise<string | null>
  run(deps: Deps, args: readonly string[]): Promise<string | Printed>
}

export interface Printed {
  text: string
  exitCode: 0 | 1
}

export function toPrinted(returned: string | Printed): Printed {
  return typeof returned === 'string' ? { text: returned, exitCode: 0 } : returned
}

/** Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Exit code 1. The message says why the command was refused, and often what to do instead. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** Shows only the code, because the message of the error may contain a password. */
export function toDatabaseRefusal(error: unknown): RefusedError | null {
  if (error instanceof AggregateError) return toDatabaseRefusal(error.errors[0])
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Error codes of Node, such as ECONNREFUSED, and of PostgreSQL. The beginning of a code matches a whole class: 28 matches
  // 28P01. 42501: the role may not connect. 55000: nobody may connect.
  if (!/^(?:E[A-Z]+|28|3D|57P|53|08|42501|55000)/.test(code)) return null
  return new RefusedError(`The database cannot be used (${code}). To find out why: npm run pazar -- doctor`)
}

export function toUnavailableRefusal(error: unknown): RefusedError | null {
  if (error instanceof GateClosedError)
    return new RefusedError(
      'Payments are stopped after a restore, and so are refunds and decisions. To see the command that lets them go on: npm run pazar -- incidents list',
    )
  if (!(error instanceof ServiceError) || error.code !== 'unavailable') return null
  return new RefusedError(
    `The command could not finish (${error.log}). Check what was done, then run it again.`,
  )
}

type Options = NonNullable<ParseArgsConfig['options']>

export function parseFlags<const O extends Options>(usage: string, args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch {
    // Node's message is written for programmers; the usage helps operators more.
    throw new UsageError(`Usage: npm run pazar -- ${usage}`)
  }
}

/** An ignored flag would mislead: with --dry-run, an operator expects that nothing changes. */
export function refuseUnusedFlags(
  usage: string,
  use: string,
  values: object,
  usedFlags: readonly string[],
): void {
  const unused = Object.keys(values).find((flag) => !usedFlags.includes(flag))
  if (unused !== undefined)
    throw new UsageError(`"${use}" does not take --${unused}. Usage: npm run pazar -- ${usage}`)
}

export function toHelp({ usage, summary, details }: Omit<Command, 'run'>): string {
  return [`Usage: npm run pazar -- ${usage}`, summary, ...(details === undefined ? [] : ['', details])].join(
    '\n',
  )
}

export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Text from other systems is shown on one line, without control characters that could change the terminal. */
export function toCell(text: string | null, max = 40): string {
  if (text === null) return '-'
  const plain = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
  return [...plain].length > max ? `${[...plain].slice(0, max - 1).join('')}…` : plain
}
