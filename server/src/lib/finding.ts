// What `doctor` reports. Each finding has a name that scripts can rely on.
export interface Finding {
  name: string
  /** A problem stops the service or loses something; a warning does not. */
  level: 'problem' | 'warning'
  what: string
  where: string
  fix: string
}

export function problemFinding(name: string, where: string, what: string, fix: string): Finding {
  return { name, level: 'problem', where, what, fix }
}

export function warningFinding(name: string, where: string, what: string, fix: string): Finding {
  return { name, level: 'warning', where, what, fix }
}

/** The message of the error is not used, because it may contain addresses and passwords. */
export function toCode(error: unknown): string {
  if (error instanceof AggregateError) return toCode(error.errors[0])
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'no response in time'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : toCode(error.cause)
}
