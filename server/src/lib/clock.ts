// The only place that reads the machine's clock, for the times in signatures and responses; tests replace it. Leases,
// lockouts and expiry use the database's clock instead.
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function toDate(ms: number): Date {
  return new Date(ms)
}

/** For text that the schema has accepted as a time. */
export function toInstant(text: string): Date {
  return new Date(Date.parse(text))
}

export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
