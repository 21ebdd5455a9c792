// Why this is long: a list of all settings.
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { findConfigProblems } from '../../test/settings.ts'
import { ConfigError, parseConfig } from '../config.ts'
import type { Config } from '../config.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index))

function pick(config: Config, names: readonly string[]): Record<string, unknown> {
  const all = new Map<string, unknown>(Object.entries(config))
  return Object.fromEntries(names.map((name) => [name, all.get(name)]))
}

function assertConfig(env: Record<string, string>, expected: Record<string, unknown>): void {
  assert.deepEqual(pick(parseConfig(env), Object.keys(expected)), expected)
}

function isRefused(env: Record<string, string>): boolean {
  try {
    parseConfig(env)
    return false
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return true
  }
}

test('a setting that is not in the environment has its default', () => {
  assertConfig(
    {},
    {
      production: false,
      port: 3000,
      host: '127.0.0.1',
      https: false,
      trustProxy: 0,
      role: 'all',
      drainSec: 0,
      logLevel: 'info',
      metricsPort: null,
      metricsToken: null,
      otlpEndpoint: null,
      dataDir: path.resolve('./data'),
      databaseUrl: null,
      databasePooler: 'none',
      databaseDirectUrl: null,
      databaseQueryTimeoutMs: 7_000,
      secretsKey: null,
      secretsKeyPrevious: null,
      restoredFrom: null,
      attemptRetentionDays: 90,
      paymentDataRetentionDays: null,
      signUp: 'open',
      requireKyc: false,
      demoProject: null,
      currency: 'EUR',
      amountScale: 2,
      backend: 'sandbox',
      backendUrl: null,
      backendSecret: null,
      backendSecretPrevious: null,
      backendAccount: null,
      allowSandboxLive: false,
      stripe: null,
      egressProxy: null,
      callbackAllowHosts: new Set(),
      smtpUrl: null,
      smtpRequireTls: false,
      mailFrom: 'Pazar <no-reply@localhost>',
      operatorName: 'Pazar',
      operatorEmail: null,
      supportUrl: null,
      termsUrl: null,
      privacyUrl: null,
      docsEditUrl: null,
      startedByNpm: false,
      failAt: null,
    },
  )
  const { rateLimits } = parseConfig({})
  assert.deepEqual([rateLimits?.SIGN_IN, rateLimits?.FORGOT], [30, 3])
})

// Why this is long: a list of all settings and their values.
test('settings are read from the environment', () => {
  assertConfig(
    {
      PORT: '8080',
      HOST: '::',
      BASE_URL: 'https://pay.example.me',
      TRUST_PROXY: '2',
      ROLE: 'delivery',
      DRAIN_SECONDS: '20',
      LOG_LEVEL: 'warn',
      METRICS_PORT: '9090',
      METRICS_TOKEN: 'sixteen-letters!',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.internal:4318',
      DATABASE_URL: 'postgres://u@db.example.me/pazar',
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: 'postgres://u@primary.example.me/pazar',
      DATABASE_QUERY_TIMEOUT_MS: '60000',
      SECRETS_KEY: KEY.toString('base64'),
      SECRETS_KEY_PREVIOUS: KEY.toString('base64url'),
      RESTORED_FROM: 'nightly',
      ATTEMPT_RETENTION_DAYS: '30',
      PAYMENT_DATA_RETENTION_DAYS: '365',
      SIGN_UP: 'closed',
      REQUIRE_KYC: 'on',
      DEMO_PROJECT: 'shop1',
      ACTION_TIMEOUT_MIN: '45',
      CURRENCY: 'RSD',
      AMOUNT_SCALE: '4',
      BACKEND: 'http',
      BACKEND_URL: 'https://up.example.me/a//',
      BACKEND_SECRET: 's'.repeat(32),
      BACKEND_SECRET_PREVIOUS: 'p'.repeat(32),
      BACKEND_ACCOUNT: 'main',
      EGRESS_PROXY: 'http://proxy.example.me:3128',
      CALLBACK_ALLOW_HOSTS: ' LocalHost:4000, ,[::1]:65535',
      MAIL: 'smtp',
      SMTP_URL: 'smtp://mail.example.me',
      MAIL_FROM: 'Naplata <a@b.me>',
      OPERATOR_NAME: 'Naplata',
      OPERATOR_EMAIL: 'ops@example.me',
      SUPPORT_URL: 'mailto:help@example.me',
      TERMS_URL: 'https://example.me/terms',
      PRIVACY_URL: 'https://example.me/privacy',
      DOCS_EDIT_URL: 'https://git.example.me/pazar/edit/main',
      RATE_LIMIT_SIGN_IN: '7',
      npm_lifecycle_event: 'start',
      FAIL_AT: 'S1',
    },
    {
      port: 8080,
      host: '::',
      baseUrl: 'https://pay.example.me',
      https: true,
      trustProxy: 2,
      role: 'delivery',
      drainSec: 20,
      logLevel: 'warn',
      metricsPort: 9090,
      metricsToken: 'sixteen-letters!',
      otlpEndpoint: 'http://collector.internal:4318/',
      databaseUrl: 'postgres://u@db.example.me/pazar',
      databasePooler: 'transaction',
      databaseDirectUrl: 'postgres://u@primary.example.me/pazar',
      databaseQueryTimeoutMs: 60_000,
      secretsKey: KEY,
      secretsKeyPrevious: KEY,
      restoredFrom: 'nightly',
      attemptRetentionDays: 30,
      paymentDataRetentionDays: 365,
      signUp: 'closed',
      requireKyc: true,
      demoProject: 'shop1',
      actionTimeoutMin: 45,
      currency: 'RSD',
      amountScale: 4,
      backendUrl: 'https://up.example.me/a',
      backendSecret: 's'.repeat(32),
      backendSecretPrevious: 'p'.repeat(32),
      backendAccount: 'main',
      egressProxy: new URL('http://proxy.example.me:3128'),
      callbackAllowHosts: new Set(['localhost:4000', '[::1]:65535']),
      smtpUrl: 'smtp://mail.example.me',
      mailFrom: 'Naplata <a@b.me>',
      operatorName: 'Naplata',
      operatorEmail: 'ops@example.me',
      supportUrl: 'mailto:help@example.me',
      termsUrl: 'https://example.me/terms',
      privacyUrl: 'https://example.me/privacy',
      docsEditUrl: 'https://git.example.me/pazar/edit/main/',
      startedByNpm: true,
      failAt: 'S1',
    },
  )
  assert.equal(parseConfig({ RATE_LIMIT_SIGN_IN: '7' }).rateLimits?.SIGN_IN, 7)
  assert.equal(parseConfig({ RATE_LIMITS: 'off' }).rateLimits, null)
  assert.equal(parseConfig({ PORT: '8080' }).baseUrl, 'http://localhost:8080')
  assert.equal(parseConfig({ DATA_DIR: '/var/lib/pazar' }).dataDir, '/var/lib/pazar')
  assert.equal(parseConfig({ MAIL: 'files', SMTP_URL: 'smtp://mail.example.me' }).smtpUrl, null)
})

test('the previous webhook secret of Stripe is read', () => {
  const stripe = {
    BACKEND: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET_PREVIOUS: 'whsec_fedcba9876543210',
    STRIPE_ACCOUNT: 'acct_1',
  }
  assert.deepEqual(parseConfig(stripe).stripe, {
    secretKey: stripe.STRIPE_SECRET_KEY,
    webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
    webhookSecretPrevious: stripe.STRIPE_WEBHOOK_SECRET_PREVIOUS,
    account: 'acct_1',
    livemode: false,
    apiBase: null,
  })
})

test('the smallest and largest values of settings are accepted, and values beyond them are refused', () => {
  for (const [name, good, bad] of [
    ['PORT', ['1', '65535'], ['0', '65536', '-1', '1.5']],
    // 3000 is the default of PORT, and METRICS_PORT must differ from PORT.
    ['METRICS_PORT', ['1', '65535'], ['0', '65536', '3000']],
    ['METRICS_TOKEN', ['x'.repeat(16)], ['x'.repeat(15)]],
    ['DATABASE_QUERY_TIMEOUT_MS', ['6000', '60000'], ['5999', '60001']],
    ['TRUST_PROXY', ['0', '10'], ['11']],
    ['DRAIN_SECONDS', ['0', '300'], ['301']],
    ['DEMO_PROJECT', ['ab', `a${'1'.repeat(31)}`], ['a', '1a', 'Ab', `a${'1'.repeat(32)}`]],
    ['AMOUNT_SCALE', ['0', '4'], ['5']],
    ['ATTEMPT_RETENTION_DAYS', ['1', '3650'], ['0', '3651']],
    ['PAYMENT_DATA_RETENTION_DAYS', ['1', '36500'], ['36501']],
    ['ACTION_TIMEOUT_MIN', ['1', '1440'], ['1441']],
    ['RATE_LIMIT_DOCS', ['1', '1000000'], ['0', '1000001']],
    ['RATE_LIMIT_UNKNOWN', [], ['5']],
    [
      'BASE_URL',
      ['https://pay.example.me/'],
      ['https://u@pay.example.me', 'https://:p@pay.example.me', 'https://pay.example.me/?a', 'http://a#b'],
    ],
    [
      'BACKEND_URL',
      ['https://a.me/v1'],
      ['https://u@a.me', 'https://:p@a.me', 'https://a.me?b', 'https://a.me#b'],
    ],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      ['https://a.me/otlp'],
      ['https://u@a.me', 'https://:p@a.me', 'https://a.me?b', 'https://a.me#b'],
    ],
    ['STRIPE_API_BASE', ['http://a.me'], ['http://u@a.me', 'http://:p@a.me', 'http://a.me/b']],
    ['CALLBACK_ALLOW_HOSTS', ['a:1', 'a.b:65535'], ['a:0', 'a:65536', 'a', 'a:b', 'http://a:1']],
    ['EGRESS_PROXY', ['https://a:%25@proxy.me'], ['socks5://proxy.me', 'http://a:%zz@proxy.me']],
    ['SMTP_URL', ['smtp://a:%25@mail.me'], ['smtp://', 'smtp://a:5%@mail.me']],
    ['MAIL_FROM', ['A <a@b.me>'], ['nonsense']],
    [
      'SECRETS_KEY',
      [KEY.toString('base64')],
      [`${KEY.toString('base64')} x`, KEY.toString('hex'), 'A'.repeat(42)],
    ],
    ['OPERATOR_EMAIL', ['a@b.me', 'A <a@b.me>'], ['a', 'a b@c.me', 'A <a@b.me> x']],
    ['CURRENCY', ['USD'], ['usd', 'EURO']],
  ] as const) {
    for (const value of good) assert.equal(isRefused({ [name]: value }), false, `${name}=${value}`)
    for (const value of bad) assert.equal(isRefused({ [name]: value }), true, `${name}=${value}`)
  }
})

test('the address of a model may have a path, but no user, password, query or fragment', () => {
  const findProblems = (url: string) => findConfigProblems({ AI_BASE_URL: url, AI_MODEL: 'm' })
  assert.deepEqual(findProblems('https://a.me/v1'), [])
  const problem = 'AI_BASE_URL must be a plain address, without user, password, query or fragment.'
  for (const url of ['https://u@a.me', 'https://:p@a.me', 'https://a.me?b', 'https://a.me#b'])
    assert.deepEqual(findProblems(url), [problem], url)
})

test('"on" and "off" can each be written in four ways, in any letter case; a blank value means the default', () => {
  const isKyc = (value: string) => parseConfig({ REQUIRE_KYC: value }).requireKyc
  for (const value of ['true', 'on', '1', 'YES']) assert.equal(isKyc(value), true, value)
  for (const value of ['false', 'off', '0', 'No', '  ']) assert.equal(isKyc(value), false, value)
})

test('the defaults of DEMO and REQUIRE_KYC depend on NODE_ENV, DATABASE_URL and SIGN_UP', () => {
  const isDemo = (env: Record<string, string>) => parseConfig(env).demo
  assert.deepEqual(
    [
      isDemo({}),
      isDemo({ NODE_ENV: 'test' }),
      isDemo({ DATABASE_URL: 'postgres://u@db/pazar' }),
      isDemo({ DEMO: 'off' }),
    ],
    [true, false, false, false],
  )
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://pay.example.me',
    SECRETS_KEY: KEY.toString('base64'),
    ALLOW_SANDBOX_LIVE: 'true',
    MAIL: 'files',
  }
  assertConfig(production, { production: true, demo: false, signUp: 'closed', requireKyc: false })
  assertConfig({ ...production, SIGN_UP: 'open' }, { signUp: 'open', requireKyc: true })
})

test('the settings are frozen', () => {
  assert.equal(Object.isFrozen(parseConfig({})), true)
})
