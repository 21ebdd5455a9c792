// How many decimals an amount has at Stripe. They are mostly those of the currency; where Stripe keeps others, an amount
// read with the wrong ones would be charged a hundredfold.

const WITHOUT = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Stripe also wants the last digit to be 0, and refuses what is not. */
const WITH_THREE = 'BHD JOD KWD OMR TND'.split(' ')
/** Stripe's own pages list it both with two decimals and without. */
const DOUBTFUL = ['UGX']

/** Null: not known for certain. Whether Stripe takes the currency at all, it says itself. */
export function findStripeDecimals(currency: string): 0 | 2 | 3 | null {
  if (DOUBTFUL.includes(currency)) return null
  if (WITHOUT.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}
