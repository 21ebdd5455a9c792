// The only place that reads the machine's clock. Leases, lockouts and lifetimes use the database's clock instead;
// this one stamps signatures and answers, and tests replace it.
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function toDate(ms: number): Date {
  return new Date(ms)
}

export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}
