// The only reader of the machine's clock. Leases, lockouts and lifetimes use the database's clock instead; this one stamps
// signatures and responses, and tests replace it.
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function toDate(ms: number): Date {
  return new Date(ms)
}

/** For text that the contract has accepted as a time. */
export function toInstant(text: string): Date {
  return new Date(Date.parse(text))
}

export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
