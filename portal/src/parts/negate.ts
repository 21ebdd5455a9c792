/** Refunded and disputed amounts have a minus, so that a row adds up. */
export function negate(sum: string): string {
  return String(-BigInt(sum))
}
