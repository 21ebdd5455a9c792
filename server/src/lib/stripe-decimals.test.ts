import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStripeDecimals } from './stripe-decimals.ts'

// These lists are copied from Stripe's documentation. If stripe-decimals.ts lacked an entry, a payer would be charged a
// multiple or a part of the amount.
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ')

test('findStripeDecimals returns the number of decimals that Stripe uses; for UGX it returns null, because the number is not certain', () => {
  for (const currency of WITHOUT_DECIMALS) assert.equal(findStripeDecimals(currency), 0, currency)
  for (const currency of WITH_THREE_DECIMALS) assert.equal(findStripeDecimals(currency), 3, currency)
  assert.equal(findStripeDecimals('UGX'), null)
  const others = new Set(['EUR', 'RSD', 'HUF', 'ISK', ...Intl.supportedValuesOf('currency')])
  for (const currency of [...WITHOUT_DECIMALS, ...WITH_THREE_DECIMALS, 'UGX']) others.delete(currency)
  for (const currency of others) assert.equal(findStripeDecimals(currency), 2, currency)
})
