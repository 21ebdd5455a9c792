/** Refunded and disputed amounts have a minus, so that the sum of the amounts is the net amount. */
export function negate(sum: string): string {
  return String(-BigInt(sum))
}
