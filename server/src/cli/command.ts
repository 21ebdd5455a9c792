import type { Deps } from '../wire.ts'

export interface Command {
  name: string
  usage: string
  summary: string
  /** Returns what to print. */
  run(deps: Deps, args: readonly string[]): Promise<string>
}

/** The words of the call are off: its message says how it goes. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
