// The only reader of the machine's wall clock. Leases and lockouts use the database's clock instead.
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function toDate(ms: number): Date {
  return new Date(ms)
}

/** The caller has checked that the text is a valid time or day. */
export function toInstant(text: string): Date {
  return new Date(Date.parse(text))
}

export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
