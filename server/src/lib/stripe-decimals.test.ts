import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStripeDecimals } from './stripe-decimals.ts'

test('the decimals are those that Stripe uses, even if the currency usually has others', () => {
  const expected = { EUR: 2, RSD: 2, HUF: 2, ISK: 2, JPY: 0, XOF: 0, KWD: 3, UGX: null } as const
  for (const [currency, decimals] of Object.entries(expected))
    assert.equal(findStripeDecimals(currency), decimals, currency)
})
