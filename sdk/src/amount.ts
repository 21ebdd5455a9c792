// Money on the wire: decimal digits of the currency's smallest unit. Always handled as text, because a number
// loses digits above 2^53 and reads "1e3" as 1000.
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9][0-9]{0,11}$/.test(value)
}
