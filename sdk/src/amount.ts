// Money on the wire: decimal digits of the currency's smallest unit. It is always handled as text, because Number() also
// accepts other spellings, such as "1e3", and signatures cover exactly these digits.
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9][0-9]{0,11}$/.test(value)
}
