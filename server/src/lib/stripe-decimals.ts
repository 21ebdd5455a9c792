// How many decimals an amount has at Stripe. They are mostly those of the currency; where Stripe uses others, an amount with
// the wrong ones would be charged a hundred times.

const WITHOUT = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Stripe also wants the last digit to be 0, and refuses what is not. */
const WITH_THREE = 'BHD JOD KWD OMR TND'.split(' ')
/** Stripe's own pages list it both with two decimals and without. */
const DOUBTFUL = ['UGX']

/** Null: not known for certain. Stripe itself refuses currencies that it does not support. */
export function findStripeDecimals(currency: string): 0 | 2 | 3 | null {
  if (DOUBTFUL.includes(currency)) return null
  if (WITHOUT.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}
