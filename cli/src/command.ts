import type { Catalogue, Locale } from '@pazar/words'
import type { Environment } from './environment.ts'
import type { Session } from './session.ts'
import type { Line, Terminal } from './terminal.ts'
import type { CommandName, OptionName, Words } from './words.ts'

export interface Option {
  /** Placeholder of the value in the help. An option without placeholder is a switch. */
  readonly value?: string
  readonly required?: boolean
  readonly repeated?: boolean
}

export interface Command {
  readonly name: CommandName
  /** Arguments as shown in the help. Arguments in brackets are optional. */
  readonly args: readonly string[]
  readonly options: Readonly<Partial<Record<OptionName, Option>>>
  /** examples.test.ts runs the example. */
  readonly example: string
  run(invocation: Invocation): Promise<Outcome>
}

export interface Outcome {
  readonly json: unknown
  readonly lines: readonly Line[]
  /** True makes the exit code 1, for a negative result such as an invalid signature. */
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
  readonly optionValues: (name: OptionName) => readonly string[]
  readonly isSet: (name: OptionName) => boolean
}
