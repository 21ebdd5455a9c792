// How many decimals an amount has at Stripe. With a wrong number, a payer would be charged a multiple or a part of the
// amount.

const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Stripe refuses amounts in these currencies unless the last digit is 0. */
const WITH_THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ')
/** Stripe's documentation lists this currency both with two decimals and with none. */
const UNCERTAIN_CURRENCIES = ['UGX']

/** Null: the number is not certain. Currencies that Stripe refuses need no entry. */
export function findStripeDecimals(currency: string): 0 | 2 | 3 | null {
  if (UNCERTAIN_CURRENCIES.includes(currency)) return null
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2
}
