// How many decimals an amount has at Stripe. Mostly those of the currency; where Stripe uses others, a wrong number would
// charge a hundred times the amount.

const WITHOUT = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Stripe refuses these unless the last digit is 0. */
const WITH_THREE = 'BHD JOD KWD OMR TND'.split(' ')
/** Stripe's documentation lists it both with two decimals and with none. */
const DOUBTFUL = ['UGX']

/** Null: not known for certain. Stripe itself refuses currencies that it does not support. */
export function findStripeDecimals(currency: string): 0 | 2 | 3 | null {
  if (DOUBTFUL.includes(currency)) return null
  if (WITHOUT.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}
