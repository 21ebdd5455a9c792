import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, parseConfig } from './config.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')

const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.me',
  SECRETS_KEY: KEY,
  DATABASE_URL: 'postgres://pazar@db.example.me/pazar',
  ALLOW_SANDBOX_LIVE: 'true',
  SMTP_URL: 'smtp://mail.example.me',
  MAIL_FROM: 'Pazar <no-reply@example.me>',
}

const UPSTREAM = {
  BACKEND: 'http',
  BACKEND_URL: 'https://upstream.example.me/pay/',
  BACKEND_SECRET: 'a-secret-of-32-bytes-at-the-least',
}

const STRIPE = {
  BACKEND: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef0123',
}
const TEST_KEY = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef' }

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

test('without any settings the service runs in development mode with the demo', () => {
  const config = parseConfig({})
  assert.equal(config.baseUrl, 'http://localhost:3000')
  assert.equal(config.demo, true)
  assert.equal(config.signUp, 'open')
  assert.equal(config.requireKyc, false)
  assert.equal(config.databaseUrl, null)
})

test('a complete production configuration is accepted', () => {
  const config = parseConfig(PRODUCTION)
  assert.equal(config.https, true)
  assert.equal(config.signUp, 'closed')
  assert.equal(config.demo, false)
})

test('in production with open sign-up, REQUIRE_KYC is on by default', () => {
  assert.equal(parseConfig({ ...PRODUCTION, SIGN_UP: 'open' }).requireKyc, true)
  assert.equal(parseConfig({ ...PRODUCTION, SIGN_UP: 'open', REQUIRE_KYC: 'false' }).requireKyc, false)
})

test('outside production any 32 bytes are accepted as a key', () => {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
  assert.equal(parseConfig({ SECRETS_KEY }).secretsKey?.toString('base64'), SECRETS_KEY)
})

const REFUSED_IN_PRODUCTION: [what: string, change: Record<string, string | undefined>, names: string][] = [
  ['an http address', { BASE_URL: 'http://pay.example.me' }, 'BASE_URL'],
  ['no address', { BASE_URL: undefined }, 'BASE_URL'],
  ['no key', { SECRETS_KEY: undefined }, 'SECRETS_KEY'],
  ['a key of one repeated byte', { SECRETS_KEY: Buffer.alloc(32).toString('base64') }, 'SECRETS_KEY'],
  ['allowed private hosts', { CALLBACK_ALLOW_HOSTS: 'localhost:4000' }, 'CALLBACK_ALLOW_HOSTS'],
  ['limits off', { RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
  ['the demo', { DEMO: 'on' }, 'DEMO'],
  ['the sandbox as live upstream', { ALLOW_SANDBOX_LIVE: undefined }, 'ALLOW_SANDBOX_LIVE'],
  ['no mail', { SMTP_URL: undefined }, 'SMTP_URL'],
  ['mail without a sender', { MAIL_FROM: undefined }, 'MAIL_FROM'],
  ['plaintext mail to another machine', { SMTP_ALLOW_PLAINTEXT: 'true' }, 'SMTP_ALLOW_PLAINTEXT'],
  [
    'plaintext mail to a name that only begins like loopback',
    { SMTP_ALLOW_PLAINTEXT: 'on', SMTP_URL: 'smtp://127.0.0.1.example.me' },
    'SMTP_ALLOW_PLAINTEXT',
  ],
  ...[
    'ignoreTLS=true',
    'requireTLS=false',
    'tls.rejectUnauthorized=false',
    'host=mail.example.me',
    'secure=0',
  ].map((option): [string, Record<string, string>, string] => [
    `a mail option ${option}`,
    { SMTP_URL: `smtp://localhost?${option}` },
    'SMTP_URL',
  ]),
  ['an upstream over http', { ...UPSTREAM, BACKEND_URL: 'http://upstream.example.me' }, 'BACKEND_URL'],
  ["Stripe's test mode", { ...STRIPE, ...TEST_KEY, ALLOW_SANDBOX_LIVE: undefined }, 'STRIPE_SECRET_KEY'],
  [
    'a stand-in for Stripe',
    { ...STRIPE, ...TEST_KEY, STRIPE_API_BASE: 'https://s.example.me' },
    'STRIPE_API_BASE',
  ],
  ['a failpoint', { FAIL_AT: 'S1' }, 'FAIL_AT'],
  [
    'a model key sent over http',
    { AI_BASE_URL: 'http://models.example.me', AI_MODEL: 'm', AI_API_KEY: 'k' },
    'AI_BASE_URL',
  ],
]

for (const [what, change, names] of REFUSED_IN_PRODUCTION) {
  test(`production with ${what} is refused with a sentence that names ${names}`, () => {
    const problems = problemsOf({ ...PRODUCTION, ...change })
    assert.equal(problems.filter((one) => one.includes(names)).length > 0, true, problems.join('\n'))
  })
}

test('mails need TLS in production, unless the relay is on this machine and plaintext is allowed', () => {
  const requires = (change: Record<string, string>) =>
    parseConfig({ ...PRODUCTION, ...change }).smtpRequireTls
  assert.equal(requires({}), true)
  assert.equal(requires({ SMTP_URL: 'smtps://mail.example.me?tls.servername=mx.example.me' }), true)
  assert.equal(requires({ SMTP_URL: 'smtp://localhost' }), true)
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1:25', '[::1]:2525', 'user:password@localhost']) {
    assert.equal(requires({ SMTP_URL: `smtp://${host}`, SMTP_ALLOW_PLAINTEXT: 'true' }), false, host)
  }
  assert.equal(parseConfig({ SMTP_URL: 'smtp://mail.example.me' }).smtpRequireTls, false)
})

test('plaintext to another machine is refused outside production too', () => {
  const problems = problemsOf({ SMTP_URL: 'smtp://mail.example.me', SMTP_ALLOW_PLAINTEXT: 'true' })
  assert.match(problems.join(), /SMTP_ALLOW_PLAINTEXT/)
})

const WRONG: [name: string, value: string][] = [
  ['PORT', '70000'],
  ['PORT', '1e3'],
  ['BASE_URL', 'https://pay.example.me/path'],
  ['BASE_URL', 'ftp://pay.example.me'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_QUERY_TIMEOUT_MS', '5000'],
  ['SECRETS_KEY', 'short'],
  ['ROLE', 'everything'],
  ['CURRENCY', 'euro'],
  ['AMOUNT_SCALE', '-1'],
  ['TRUST_PROXY', 'yes'],
  ['CALLBACK_ALLOW_HOSTS', 'localhost'],
  ['RATE_LIMIT_SIGN_IN', '0'],
  ['LOG_LEVEL', 'loud'],
  ['REQUIRE_KYC', 'perhaps'],
  ['NODE_ENV', 'prod'],
  ['BACKEND', 'bank'],
  ['ALLOW_SANDBOX_LIVE', 'maybe'],
  ['DEMO', 'maybe'],
  ['MAIL', 'smtp'],
  ['SMTP_ALLOW_PLAINTEXT', 'perhaps'],
  ['BACKEND_URL', 'upstream.example.me'],
  ['BACKEND_URL', 'https://upstream.example.me/?key=1'],
  ['STRIPE_API_BASE', '127.0.0.1:12111'],
  ['BACKEND_SECRET_PREVIOUS', 'x'.repeat(31)],
  ['STRIPE_WEBHOOK_SECRET_PREVIOUS', 'we_0123456789abcdef'],
  ['STRIPE_API_BASE', 'http://127.0.0.1:12111/v1'],
  ['STRIPE_API_BASE', 'http://user@127.0.0.1:12111'],
  ['ACTION_TIMEOUT_MIN', '0'],
  ['FAIL_AT', 'S2'],
]

for (const [name, value] of WRONG) {
  test(`${name}=${value} is refused with a sentence that names the setting`, () => {
    const problems = problemsOf({ [name]: value })
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0]!, new RegExp(name))
    assert.equal(
      problems[0]!.includes(value) && name.includes('KEY'),
      false,
      'a sentence must not repeat a key',
    )
  })
}

test('all wrong settings are reported at once', () => {
  assert.equal(problemsOf({ PORT: 'x', ROLE: 'x', CURRENCY: 'x' }).length, 3)
})

test('an http upstream needs its address and a secret of 32 bytes; production accepts it without ALLOW_SANDBOX_LIVE', () => {
  const config = parseConfig({ ...PRODUCTION, ALLOW_SANDBOX_LIVE: undefined, ...UPSTREAM })
  assert.equal(config.backend, 'http')
  assert.equal(config.backendUrl, 'https://upstream.example.me/pay')
  assert.match(problemsOf({ ...UPSTREAM, BACKEND_URL: undefined })[0]!, /^BACKEND_URL must be set/)
  for (const secret of [undefined, 'x'.repeat(31)])
    assert.match(
      problemsOf({ ...UPSTREAM, BACKEND_SECRET: secret })[0]!,
      /^BACKEND_SECRET must have at least 32 bytes/,
    )
})

test('each upstream in BACKENDS_KEPT needs the same settings as for BACKEND; naming BACKEND there again changes nothing', () => {
  const withKept = (names: string, more: Record<string, string | undefined> = {}) => ({
    BACKENDS_KEPT: names,
    ...more,
  })
  assert.deepEqual(parseConfig({}).backendsKept, [])
  assert.deepEqual(
    parseConfig(withKept(' http , sandbox', { ...UPSTREAM, BACKEND: 'sandbox' })).backendsKept,
    ['sandbox', 'http'],
  )
  assert.deepEqual(problemsOf(withKept('http', UPSTREAM)), [])
  for (const names of ['paypal', 'http;stripe', 'HTTP'])
    assert.match(problemsOf(withKept(names))[0]!, /^BACKENDS_KEPT must be a comma-separated list/)
  assert.match(
    problemsOf(withKept('http')).join(' '),
    /BACKEND_URL must be set while BACKENDS_KEPT has http.*BACKEND_SECRET must have/,
  )
  assert.match(
    problemsOf(withKept('stripe')).join(' '),
    /STRIPE_SECRET_KEY must be .* while BACKENDS_KEPT has stripe.*STRIPE_WEBHOOK_SECRET must be/,
  )
  // Stripe opens no new payments here, and existing ones keep their decimals, so AMOUNT_SCALE need not match.
  const stripeNotUsed = { ...STRIPE, BACKEND: 'sandbox', AMOUNT_SCALE: '0' }
  assert.equal(parseConfig(withKept('stripe', stripeNotUsed)).stripe?.livemode, true)
  assert.match(problemsOf({ ...STRIPE, STRIPE_ACCOUNT: 'cus_1' })[0]!, /^STRIPE_ACCOUNT must be/)
})

test('Stripe needs a secret key and its webhook secret; production accepts a live key without ALLOW_SANDBOX_LIVE', () => {
  const config = parseConfig({ ...PRODUCTION, ALLOW_SANDBOX_LIVE: undefined, ...STRIPE })
  assert.deepEqual([config.backend, config.stripe?.livemode, config.stripe?.apiBase], ['stripe', true, null])
  assert.equal(parseConfig({ ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_0123456789' }).stripe?.livemode, false)
  assert.equal(parseConfig({ ...PRODUCTION, ...STRIPE, ...TEST_KEY }).stripe?.livemode, false)
  for (const key of [undefined, 'pk_live_0123456789abcdef', 'sk_0123456789abcdef', 'sk_live_'])
    assert.match(problemsOf({ ...STRIPE, STRIPE_SECRET_KEY: key })[0]!, /^STRIPE_SECRET_KEY must be a secret/)
  for (const secret of [undefined, 'whsec_', 'we_0123456789abcdef'])
    assert.match(
      problemsOf({ ...STRIPE, STRIPE_WEBHOOK_SECRET: secret })[0]!,
      /^STRIPE_WEBHOOK_SECRET must be/,
    )
})

test('a live key may be sent only to Stripe, a test key also to a stand-in', () => {
  const base = { ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111/' }
  assert.equal(parseConfig({ ...base, ...TEST_KEY }).stripe?.apiBase, 'http://127.0.0.1:12111')
  assert.match(problemsOf(base)[0]!, /^STRIPE_API_BASE cannot be set with a live key/)
})

test('with Stripe, AMOUNT_SCALE must match the decimals that Stripe uses for the currency', () => {
  for (const [currency, scale] of [
    ['EUR', '0'],
    ['JPY', '2'],
    ['KWD', '2'],
  ] as const)
    assert.match(
      problemsOf({ ...STRIPE, CURRENCY: currency, AMOUNT_SCALE: scale })[0]!,
      /^AMOUNT_SCALE must be/,
    )
  assert.match(problemsOf({ ...STRIPE, CURRENCY: 'UGX' })[0]!, /^CURRENCY UGX cannot be used/)
  assert.deepEqual(problemsOf({ ...STRIPE, CURRENCY: 'JPY', AMOUNT_SCALE: '0' }), [])
  // The settings of an upstream that is not used are not checked.
  assert.equal(parseConfig({ ...STRIPE, BACKEND: 'sandbox', AMOUNT_SCALE: '0' }).stripe, null)
})

test('no error message contains a Stripe key', () => {
  const problems = problemsOf({
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

test('the assistant’s model needs AI_BASE_URL and AI_MODEL; AI_API_KEY is optional', () => {
  const modelSettings = { AI_BASE_URL: 'http://localhost:11434/v1/', AI_MODEL: 'small' }
  assert.deepEqual(parseConfig(modelSettings).ai, {
    baseUrl: 'http://localhost:11434/v1',
    apiKey: null,
    model: 'small',
  })
  assert.equal(parseConfig({}).ai, null)
  assert.deepEqual(problemsOf({ ...PRODUCTION, ...modelSettings }), [])
  assert.match(problemsOf({ ...modelSettings, AI_MODEL: undefined })[0]!, /^AI_MODEL must be set/)
  for (const alone of [{ AI_MODEL: 'small' }, { AI_API_KEY: 'k' }])
    assert.match(problemsOf(alone)[0]!, /^AI_BASE_URL must be set/)
  for (const url of ['models.example.me', 'https://user@models.example.me', 'https://models.example.me/?k=1'])
    assert.match(problemsOf({ AI_BASE_URL: url, AI_MODEL: 'small' })[0]!, /^AI_BASE_URL must be/)
})

test('without PAYMENT_DATA_RETENTION_DAYS, payment texts are stored forever', () => {
  assert.equal(parseConfig({}).paymentDataRetentionDays, null)
  assert.equal(parseConfig({ PAYMENT_DATA_RETENTION_DAYS: '' }).paymentDataRetentionDays, null)
  assert.equal(parseConfig({ PAYMENT_DATA_RETENTION_DAYS: '365' }).paymentDataRetentionDays, 365)
  for (const value of ['0', '-1', '1.5', 'never', '99999'])
    assert.throws(() => parseConfig({ PAYMENT_DATA_RETENTION_DAYS: value }), /PAYMENT_DATA_RETENTION_DAYS/)
})
