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
  /** Shown by --help after usage and summary. */
  details?: string
  /**
   * Runs before the database is opened. If it returns a text, the text is printed and the command ends without the
   * database. Null: the command continues with `run`.
   */
  prepare?(config: Config, args: readonly string[]): Promise<string | null>
  /** Returns the text to print; with `Printed` also an exit code. */
  run(deps: Deps, args: readonly string[]): Promise<string | Printed>
}

export interface Printed {
  text: string
  exitCode: 0 | 1
}

/** Adds the exit code 0 to a plain text. */
export function toPrinted(returned: string | Printed): Printed {
  return typeof returned === 'string' ? { text: returned, exitCode: 0 } : returned
}

/** The arguments are wrong; the message says what is wrong or shows the usage. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was refused; the message says why and what to do instead. Exit code 1. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/**
 * For an error of the connection or the login: Node's codes, such as ECONNREFUSED, and PostgreSQL's classes, such as 28
 * for 28P01. Null for any other error. Only the code is shown, because the message of the error may contain a password.
 */
export function toDatabaseRefusal(error: unknown): RefusedError | null {
  if (error instanceof AggregateError) return toDatabaseRefusal(error.errors[0])
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^(?:E[A-Z]+|28|3D|57P|53|08)/.test(code)) return null
  return new RefusedError(`The database cannot be used (${code}). To find out why: npm run pazar -- doctor`)
}

/** For an error that would be 503 in a response: payments are stopped, or the database or the upstream does not respond. */
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

/** Throws a UsageError for an unknown flag. */
export function parseFlags<const O extends Options>(usage: string, args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch {
    // Node's message is written for programmers; the usage helps operators more.
    throw new UsageError(`Usage: npm run pazar -- ${usage}`)
  }
}

export function toHelp({ usage, summary, details }: Omit<Command, 'run'>): string {
  return [`Usage: npm run pazar -- ${usage}`, summary, ...(details === undefined ? [] : ['', details])].join(
    '\n',
  )
}

/** Columns as wide as their widest cell. */
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
