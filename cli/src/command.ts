// The shape of a command: how it is called, the example in its help, and what it does.
import type { Catalogue, Locale } from '@pazar/words'
import type { Environment } from './environment.ts'
import type { Session } from './session.ts'
import type { Line, Terminal } from './terminal.ts'
import type { CommandName, OptionName, Words } from './words.ts'

export interface Option {
  /** What stands for the value in the help; an option without it is a switch. */
  readonly value?: string
  readonly required?: boolean
  readonly repeated?: boolean
}

export interface Command {
  readonly name: CommandName
  /** Its arguments as the help writes them; all are needed unless they stand in brackets. */
  readonly args: readonly string[]
  readonly options: Readonly<Partial<Record<OptionName, Option>>>
  /** Run by a test exactly as it stands here. */
  readonly example: string
  run(call: Call): Promise<Outcome>
}

/** What there is to say, once for programs and once for people. */
export interface Outcome {
  readonly json: unknown
  readonly lines: readonly Line[]
  /** It was done, and its answer is no: exit code 1. */
  readonly isNo?: boolean
}

/** One call of a command. */
export interface Call {
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
  readonly text: (name: OptionName) => string | undefined
  readonly texts: (name: OptionName) => readonly string[]
  readonly flag: (name: OptionName) => boolean
}
