/** Refunded and disputed amounts are shown with a minus, so that a row adds up. Zero has no sign. */
export function negate(sum: string): string {
  return String(-BigInt(sum))
}
