import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRODUCTION, findConfigProblems, STRIPE, STRIPE_TEST_KEY, UPSTREAM } from '../../test/settings.ts'
import { parseConfig } from '../config.ts'

const REFUSED_IN_PRODUCTION: [what: string, change: Record<string, string | undefined>, names: string][] = [
  ['an http address', { BASE_URL: 'http://pay.example.me' }, 'BASE_URL'],
  ['no address', { BASE_URL: undefined }, 'BASE_URL'],
  ['no master key', { SECRETS_KEY: undefined }, 'SECRETS_KEY'],
  ['a master key of one repeated byte', { SECRETS_KEY: Buffer.alloc(32).toString('base64') }, 'SECRETS_KEY'],
  ['allowed private hosts', { CALLBACK_ALLOW_HOSTS: 'localhost:4000' }, 'CALLBACK_ALLOW_HOSTS'],
  ['rate limits off', { RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
  ['the demo', { DEMO: 'on' }, 'DEMO'],
  ['the sandbox as live upstream', { ALLOW_SANDBOX_LIVE: undefined }, 'ALLOW_SANDBOX_LIVE'],
  ['no mail', { SMTP_URL: undefined }, 'SMTP_URL'],
  ['mail without a sender', { MAIL_FROM: undefined }, 'MAIL_FROM'],
  ['plaintext mail to another machine', { SMTP_ALLOW_PLAINTEXT: 'true' }, 'SMTP_ALLOW_PLAINTEXT'],
  [
    'plaintext mail to a name that only begins like a loopback address',
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
  [
    "Stripe's test mode",
    { ...STRIPE, ...STRIPE_TEST_KEY, ALLOW_SANDBOX_LIVE: undefined },
    'STRIPE_SECRET_KEY',
  ],
  [
    'a stand-in for Stripe',
    { ...STRIPE, ...STRIPE_TEST_KEY, STRIPE_API_BASE: 'https://s.example.me' },
    'STRIPE_API_BASE',
  ],
  ['a failpoint', { FAIL_AT: 'S1' }, 'FAIL_AT'],
  [
    'an API key that is sent to a model over http',
    { AI_BASE_URL: 'http://models.example.me', AI_MODEL: 'm', AI_API_KEY: 'k' },
    'AI_BASE_URL',
  ],
]

test('the sentence about a wrong SUPPORT_URL has "mailto:" without slashes', () => {
  assert.deepEqual(findConfigProblems({ SUPPORT_URL: 'help' }), [
    'SUPPORT_URL must be an address that starts with https:// or http:// or mailto:.',
  ])
})

test('in production, one wrong or missing value is refused with exactly one sentence', () => {
  for (const change of [{ SECRETS_KEY: 'abc' }, { SECRETS_KEY: undefined }, { BASE_URL: undefined }])
    assert.equal(findConfigProblems({ ...PRODUCTION, ...change }).length, 1, JSON.stringify(change))
})

for (const [caseName, change, names] of REFUSED_IN_PRODUCTION) {
  test(`in production, "${caseName}" is refused with a sentence that names ${names}`, () => {
    const problems = findConfigProblems({ ...PRODUCTION, ...change })
    assert.equal(problems.filter((one) => one.includes(names)).length > 0, true, problems.join('\n'))
  })
}

test('mails need TLS in production, unless the relay is on this machine and plaintext is allowed', () => {
  const requiresTls = (change: Record<string, string>) =>
    parseConfig({ ...PRODUCTION, ...change }).smtpRequireTls
  assert.equal(requiresTls({}), true)
  assert.equal(requiresTls({ SMTP_URL: 'smtps://mail.example.me?tls.servername=mx.example.me' }), true)
  assert.equal(requiresTls({ SMTP_URL: 'smtp://localhost' }), true)
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1:25', '[::1]:2525', 'user:password@localhost']) {
    assert.equal(requiresTls({ SMTP_URL: `smtp://${host}`, SMTP_ALLOW_PLAINTEXT: 'true' }), false, host)
  }
  assert.equal(parseConfig({ SMTP_URL: 'smtp://mail.example.me' }).smtpRequireTls, false)
})
