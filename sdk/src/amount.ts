// Amounts are text in the currency's smallest unit. Number() would also accept other spellings, such as "1e3".
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9][0-9]{0,11}$/.test(value)
}
