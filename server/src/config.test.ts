import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from './config.ts'
import { PRODUCTION, findConfigProblems } from '../test/settings.ts'

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

test('unencrypted SMTP to another machine is refused, even outside production', () => {
  const problems = findConfigProblems({ SMTP_URL: 'smtp://mail.example.me', SMTP_ALLOW_PLAINTEXT: 'true' })
  assert.match(problems.join(), /SMTP_ALLOW_PLAINTEXT/)
})

const WRONG_SETTINGS: [name: string, value: string][] = [
  ['PORT', '70000'],
  ['PORT', '1e3'],
  ['BASE_URL', 'https://pay.example.me/path'],
  ['BASE_URL', 'ftp://pay.example.me'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_POOLER', 'session'],
  ['DATABASE_POOLER', 'transaction'],
  ['DATABASE_DIRECT_URL', 'postgres://u@primary.example.me/pazar'],
  ['DATABASE_QUERY_TIMEOUT_MS', '5000'],
  ['SECRETS_KEY', 'short'],
  ['ROLE', 'everything'],
  ['CURRENCY', 'euro'],
  ['AMOUNT_SCALE', '-1'],
  ['TRUST_PROXY', 'yes'],
  ['CALLBACK_ALLOW_HOSTS', 'localhost'],
  ['RATE_LIMIT_SIGN_IN', '0'],
  ['LOG_LEVEL', 'loud'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user@collector:4318'],
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

for (const [name, value] of WRONG_SETTINGS) {
  test(`${name}=${value} is refused with a sentence that names the setting`, () => {
    const problems = findConfigProblems({ [name]: value })
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0]!, new RegExp(name))
    assert.equal(
      problems[0]!.includes(value) && name.includes('KEY'),
      false,
      'a sentence must not repeat a key',
    )
  })
}

test('two settings on one line are refused with the names of both, and without their values', () => {
  assert.deepEqual(findConfigProblems({ BACKEND: 'sandbox  ALLOW_SANDBOX_LIVE=true' }), [
    'BACKEND: its line also sets ALLOW_SANDBOX_LIVE. Every setting needs a line of its own.',
  ])
  const [problem, ...more] = findConfigProblems({
    SMTP_URL: "smtp://a:b@127.0.0.1:25 MAIL_FROM='Pazar <a@b.me>'",
  })
  assert.equal(problem, 'SMTP_URL: its line also sets MAIL_FROM. Every setting needs a line of its own.')
  assert.deepEqual(more, [])
  assert.deepEqual(
    findConfigProblems({ OPERATOR_NAME: 'Prodaja = Kupovina', MAIL_FROM: 'Pazar <a@b.me>' }),
    [],
  )
})

test('all wrong settings are reported in one error', () => {
  assert.equal(findConfigProblems({ PORT: 'x', ROLE: 'x', CURRENCY: 'x' }).length, 3)
})

test('the assistant’s model needs AI_BASE_URL and AI_MODEL; AI_API_KEY is optional', () => {
  const modelSettings = { AI_BASE_URL: 'http://localhost:11434/v1/', AI_MODEL: 'small' }
  assert.deepEqual(parseConfig(modelSettings).ai, {
    baseUrl: 'http://localhost:11434/v1',
    apiKey: null,
    model: 'small',
  })
  assert.equal(parseConfig({}).ai, null)
  assert.deepEqual(findConfigProblems({ ...PRODUCTION, ...modelSettings }), [])
  assert.match(findConfigProblems({ ...modelSettings, AI_MODEL: undefined })[0]!, /^AI_MODEL must be set/)
  for (const alone of [{ AI_MODEL: 'small' }, { AI_API_KEY: 'k' }])
    assert.match(findConfigProblems(alone)[0]!, /^AI_BASE_URL must be set/)
  for (const url of ['models.example.me', 'https://user@models.example.me', 'https://models.example.me/?k=1'])
    assert.match(findConfigProblems({ AI_BASE_URL: url, AI_MODEL: 'small' })[0]!, /^AI_BASE_URL must be/)
})

test('without PAYMENT_DATA_RETENTION_DAYS, payment data is stored forever', () => {
  assert.equal(parseConfig({}).paymentDataRetentionDays, null)
  assert.equal(parseConfig({ PAYMENT_DATA_RETENTION_DAYS: '' }).paymentDataRetentionDays, null)
  assert.equal(parseConfig({ PAYMENT_DATA_RETENTION_DAYS: '365' }).paymentDataRetentionDays, 365)
  for (const value of ['0', '-1', '1.5', 'never', '99999'])
    assert.throws(() => parseConfig({ PAYMENT_DATA_RETENTION_DAYS: value }), /PAYMENT_DATA_RETENTION_DAYS/)
})
