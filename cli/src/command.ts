// The interface of a command: its arguments and options, the example in its help, and its action.
import type { Catalogue, Locale } from '@pazar/words'
import type { Environment } from './environment.ts'
import type { Session } from './session.ts'
import type { Line, Terminal } from './terminal.ts'
import type { CommandName, OptionName, Words } from './words.ts'

export interface Option {
  /** Placeholder of the value in the help. An option without it is a switch. */
  readonly value?: string
  readonly required?: boolean
  readonly repeated?: boolean
}

export interface Command {
  readonly name: CommandName
  /** Arguments as shown in the help. Those in brackets are optional. */
  readonly args: readonly string[]
  readonly options: Readonly<Partial<Record<OptionName, Option>>>
  /** A test runs it exactly as written. */
  readonly example: string
  run(invocation: Invocation): Promise<Outcome>
}

/** The result, as JSON and as text. */
export interface Outcome {
  readonly json: unknown
  readonly lines: readonly Line[]
  /** The command worked and its result is negative: exit code 1. */
  readonly exitsNonZero?: boolean
}

export interface Invocation {
  readonly words: Words
  readonly catalogue: Catalogue
  readonly locale: Locale
  readonly args: readonly string[]
  readonly isJson: boolean
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  readonly terminal: Terminal
  readonly environment: Environment
  readonly session: Session
  readonly optionValue: (name: OptionName) => string | undefined
  /** All values of an option that may be repeated. */
  readonly optionValues: (name: OptionName) => readonly string[]
  /** Whether an option without a value was given. */
  readonly isSet: (name: OptionName) => boolean
}
