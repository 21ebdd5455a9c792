import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config.ts'
import { PRODUCTION, UPSTREAM, STRIPE, STRIPE_TEST_KEY, findConfigProblems } from '../../test/settings.ts'

test('an http upstream needs its address and a secret of 32 bytes; production accepts it without ALLOW_SANDBOX_LIVE', () => {
  const config = parseConfig({ ...PRODUCTION, ALLOW_SANDBOX_LIVE: undefined, ...UPSTREAM })
  assert.equal(config.backend, 'http')
  assert.equal(config.backendUrl, 'https://upstream.example.me/pay')
  assert.match(findConfigProblems({ ...UPSTREAM, BACKEND_URL: undefined })[0]!, /^BACKEND_URL must be set/)
  for (const secret of [undefined, 'x'.repeat(31)])
    assert.match(
      findConfigProblems({ ...UPSTREAM, BACKEND_SECRET: secret })[0]!,
      /^BACKEND_SECRET must have at least 32 bytes/,
    )
})

test('an upstream in BACKENDS_KEPT needs its secret and its address or key; AMOUNT_SCALE is not checked against this upstream', () => {
  const withKept = (names: string, more: Record<string, string | undefined> = {}) => ({
    BACKENDS_KEPT: names,
    ...more,
  })
  assert.deepEqual(parseConfig({}).backendsKept, [])
  assert.deepEqual(
    parseConfig(withKept(' http , sandbox', { ...UPSTREAM, BACKEND: 'sandbox' })).backendsKept,
    ['sandbox', 'http'],
  )
  assert.deepEqual(findConfigProblems(withKept('http', UPSTREAM)), [])
  for (const names of ['paypal', 'http;stripe', 'HTTP'])
    assert.match(findConfigProblems(withKept(names))[0]!, /^BACKENDS_KEPT must be a comma-separated list/)
  assert.match(
    findConfigProblems(withKept('http')).join(' '),
    /BACKEND_URL must be set while BACKENDS_KEPT has http.*BACKEND_SECRET must have/,
  )
  assert.match(
    findConfigProblems(withKept('stripe')).join(' '),
    /STRIPE_SECRET_KEY must be .* while BACKENDS_KEPT has stripe.*STRIPE_WEBHOOK_SECRET must be/,
  )
  // Stripe opens no new payments here. Its existing payments keep their decimals, whatever AMOUNT_SCALE is.
  const stripeNotUsed = { ...STRIPE, BACKEND: 'sandbox', AMOUNT_SCALE: '0' }
  assert.equal(parseConfig(withKept('stripe', stripeNotUsed)).stripe?.livemode, true)
  assert.match(findConfigProblems({ ...STRIPE, STRIPE_ACCOUNT: 'cus_1' })[0]!, /^STRIPE_ACCOUNT must be/)
})

test('Stripe needs a secret key and its webhook secret; production accepts a live key without ALLOW_SANDBOX_LIVE', () => {
  const config = parseConfig({ ...PRODUCTION, ALLOW_SANDBOX_LIVE: undefined, ...STRIPE })
  assert.deepEqual([config.backend, config.stripe?.livemode, config.stripe?.apiBase], ['stripe', true, null])
  assert.equal(parseConfig({ ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_0123456789' }).stripe?.livemode, false)
  assert.equal(parseConfig({ ...PRODUCTION, ...STRIPE, ...STRIPE_TEST_KEY }).stripe?.livemode, false)
  for (const key of [undefined, 'pk_live_0123456789abcdef', 'sk_0123456789abcdef', 'sk_live_'])
    assert.match(
      findConfigProblems({ ...STRIPE, STRIPE_SECRET_KEY: key })[0]!,
      /^STRIPE_SECRET_KEY must be a secret/,
    )
  for (const secret of [undefined, 'whsec_', 'we_0123456789abcdef'])
    assert.match(
      findConfigProblems({ ...STRIPE, STRIPE_WEBHOOK_SECRET: secret })[0]!,
      /^STRIPE_WEBHOOK_SECRET must be/,
    )
})

test('a live key may be sent only to Stripe, a test key also to a stand-in', () => {
  const base = { ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111/' }
  assert.equal(parseConfig({ ...base, ...STRIPE_TEST_KEY }).stripe?.apiBase, 'http://127.0.0.1:12111')
  assert.match(findConfigProblems(base)[0]!, /^STRIPE_API_BASE cannot be set with a live key/)
})

test('with Stripe, AMOUNT_SCALE must match the decimals that Stripe uses for the currency', () => {
  for (const [currency, scale] of [
    ['EUR', '0'],
    ['JPY', '2'],
    ['KWD', '2'],
  ] as const)
    assert.match(
      findConfigProblems({ ...STRIPE, CURRENCY: currency, AMOUNT_SCALE: scale })[0]!,
      /^AMOUNT_SCALE must be/,
    )
  assert.match(findConfigProblems({ ...STRIPE, CURRENCY: 'UGX' })[0]!, /^CURRENCY UGX cannot be used/)
  assert.deepEqual(findConfigProblems({ ...STRIPE, CURRENCY: 'JPY', AMOUNT_SCALE: '0' }), [])
  assert.equal(parseConfig({ ...STRIPE, BACKEND: 'sandbox', AMOUNT_SCALE: '0' }).stripe, null)
})

test('no error message contains a Stripe key', () => {
  const problems = findConfigProblems({
    ...STRIPE,
    STRIPE_SECRET_KEY: 'pk_live_0123456789',
    STRIPE_WEBHOOK_SECRET: 'whsec_9',
  })
  assert.equal(problems.length, 2)
  assert.doesNotMatch(problems.join(), /0123456789|whsec_9/)
})

test('the default of ACTION_TIMEOUT_MIN is 30 minutes', () => {
  assert.equal(parseConfig({}).actionTimeoutMin, 30)
  assert.equal(parseConfig({ ACTION_TIMEOUT_MIN: '5' }).actionTimeoutMin, 5)
})
