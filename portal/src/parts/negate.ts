/** Refunded and disputed amounts are shown with a minus, so that the sum of the shown amounts is the net amount. */
export function negate(sum: string): string {
  return String(-BigInt(sum))
}
