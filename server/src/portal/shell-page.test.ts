import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config.ts'
import type { AccountView } from '@pazar/contract'
import type { PortalBuild } from './build.ts'
import { findPageKind } from './pages.ts'
import { PORTAL_POLICY, renderShell } from './shell-page.ts'

const build: PortalBuild = {
  assets: new Map(),
  script: 'main.js',
  styles: ['a.css'],
  preloads: {
    cnr: { entry: ['words-cnr.js'], work: ['words-cnr.js', 'work-cnr.js'] },
    en: { entry: ['words-en.js'], work: ['words-en.js', 'work-en.js'] },
  },
}

const ACCOUNT: AccountView = {
  id: 'a1',
  email: 'ana@example.me',
  emailConfirmed: true,
  locale: 'cnr',
  timeZone: 'Europe/Podgorica',
  theme: 'dark',
  kyc: 'none',
}

function render(env: Record<string, string>, locale: 'cnr' | 'en' = 'en'): string {
  const config = parseConfig({ NODE_ENV: 'test', ...env })
  return renderShell(build, { config, allowHosts: new Set(['localhost:4000']), account: null, locale })
}

test('before sign-in, the page does not load the words of the pages that need a session', () => {
  const config = parseConfig({ NODE_ENV: 'test' })
  const toFiles = (account: AccountView | null) =>
    [
      ...renderShell(build, { config, allowHosts: new Set(), account, locale: 'cnr' }).matchAll(
        /modulepreload" href="[^"]*?([\w-]+\.js)"/g,
      ),
    ].map(([, name]) => name)
  assert.deepEqual(toFiles(null), ['words-cnr.js'])
  assert.deepEqual(toFiles(ACCOUNT), ['words-cnr.js', 'work-cnr.js'])
})

function readPageData(page: string): unknown {
  const content = /<meta name="pazar" content="([^"]*)">/.exec(page)?.[1] ?? ''
  return JSON.parse(
    content
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  )
}

test('the Content-Security-Policy allows nothing from other origins and nothing inline', () => {
  assert.equal(
    PORTAL_POLICY,
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; script-src 'self'; " +
      "style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; manifest-src 'self'",
  )
})

test('the page has the settings that the portal needs, and no others', () => {
  const env = {
    BASE_URL: 'https://pay.example.me',
    CURRENCY: 'RSD',
    AMOUNT_SCALE: '0',
    SIGN_UP: 'closed',
    REQUIRE_KYC: 'true',
    OPERATOR_NAME: '<Naplata> & "sinovi"',
    SUPPORT_URL: 'https://help.example.me/',
    METRICS_TOKEN: 'not-for-the-portal',
  }
  assert.deepEqual(readPageData(render(env)), {
    baseUrl: 'https://pay.example.me',
    currency: 'RSD',
    amountScale: 0,
    signUpOpen: false,
    passkeysAvailable: true,
    requireKyc: true,
    liveIsSandbox: true,
    operatorName: '<Naplata> & "sinovi"',
    supportUrl: 'https://help.example.me/',
    allowHosts: ['localhost:4000'],
    account: null,
  })
  assert.doesNotMatch(render(env), /not-for-the-portal|<Naplata>/)
})

test('the data of the page says whether live payments move money', () => {
  const toStripeEnv = (key: string) => ({
    BACKEND: 'stripe',
    STRIPE_SECRET_KEY: key,
    STRIPE_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
  })
  const http = { BACKEND: 'http', BACKEND_URL: 'https://bank.example.me', BACKEND_SECRET: 'a'.repeat(32) }
  const isSandbox = (env: Record<string, string>) =>
    (readPageData(render(env)) as { liveIsSandbox: boolean }).liveIsSandbox
  assert.equal(isSandbox({ BACKEND: 'sandbox' }), true)
  assert.equal(isSandbox(toStripeEnv(`sk_test_${'a'.repeat(24)}`)), true)
  assert.equal(isSandbox(toStripeEnv(`sk_live_${'a'.repeat(24)}`)), false)
  assert.equal(isSandbox(http), false)
})

test("each language loads its own words, and without an account the browser's theme is used", () => {
  const [cnr, en] = [render({}, 'cnr'), render({}, 'en')]
  assert.ok(cnr.includes('/portal-assets/words-cnr.js') && !cnr.includes('words-en.js'))
  assert.ok(en.includes('/portal-assets/words-en.js') && !en.includes('words-cnr.js'))
  assert.match(cnr, /<html lang="sr-Latn-ME">/)
  assert.doesNotMatch(en, /data-theme/)
  assert.match(en, /<meta name="robots" content="noindex">/)
})

test('the pages of projects and of the account need a session', () => {
  for (const page of ['sign-in', 'sign-up', 'forgot', 'reset', 'confirm-email'])
    assert.equal(findPageKind(page), 'open')
  const projectPages = 'transactions deliveries statement link status exam debug keys settings'.split(' ')
  const sessionPages = [
    ...[
      'projects',
      'projects/new',
      'projects/ab',
      'account',
      'account/sessions',
      'account/tokens',
      'account/audit',
    ],
    ...projectPages.map((page) => `projects/ab/${page}`),
  ]
  for (const page of sessionPages) assert.equal(findPageKind(page), 'session', page)
  for (const page of [
    'projects/',
    'projects/ab/',
    'projects/1a',
    `projects/a${'b'.repeat(32)}`,
    'sign-in/',
    'x',
  ])
    assert.equal(findPageKind(page), 'unknown', page)
})
