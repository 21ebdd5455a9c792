// Settings for tests of the configuration, and a function that returns the problems that parseConfig finds in settings.
import assert from 'node:assert/strict'
import { ConfigError, parseConfig } from '../src/config.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')

export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.me',
  SECRETS_KEY: KEY,
  DATABASE_URL: 'postgres://pazar@db.example.me/pazar',
  ALLOW_SANDBOX_LIVE: 'true',
  SMTP_URL: 'smtp://mail.example.me',
  MAIL_FROM: 'Pazar <no-reply@example.me>',
}

export const UPSTREAM = {
  BACKEND: 'http',
  BACKEND_URL: 'https://upstream.example.me/pay/',
  BACKEND_SECRET: 'a-secret-of-32-bytes-at-the-least',
}

export const STRIPE = {
  BACKEND: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef0123',
}
export const STRIPE_TEST_KEY = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef' }

export function findConfigProblems(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}
