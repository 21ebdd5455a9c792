import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStripeDecimals } from './stripe-decimals.ts'

// Written out as in Stripe's documentation: one entry less would charge a hundred times the amount, or ten times.
const WITHOUT = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE = 'BHD JOD KWD OMR TND'.split(' ')

test('the decimals of every currency are those that Stripe uses, even if the currency usually has others', () => {
  for (const currency of WITHOUT) assert.equal(findStripeDecimals(currency), 0, currency)
  for (const currency of WITH_THREE) assert.equal(findStripeDecimals(currency), 3, currency)
  assert.equal(findStripeDecimals('UGX'), null)
  const others = new Set(['EUR', 'RSD', 'HUF', 'ISK', ...Intl.supportedValuesOf('currency')])
  for (const currency of [...WITHOUT, ...WITH_THREE, 'UGX']) others.delete(currency)
  for (const currency of others) assert.equal(findStripeDecimals(currency), 2, currency)
})
