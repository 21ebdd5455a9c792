// In production the service does not start with settings that are only safe in development.
import type { Config } from './settings.ts'
import type { EnvReader } from './env-reader.ts'

export function checkProduction(read: EnvReader, config: Config): void {
  if (!config.https) read.wrong('BASE_URL must begin with https:// when NODE_ENV is production.')
  if (!read.text('BASE_URL')) read.wrong('BASE_URL must be set when NODE_ENV is production.')
  if (!config.secretsKey) read.wrong('SECRETS_KEY must be set when NODE_ENV is production.')
  if (config.secretsKey && new Set(config.secretsKey).size === 1)
    read.wrong('SECRETS_KEY is one byte repeated; make a random one with: openssl rand -base64 32')
  if (config.callbackAllowHosts.size > 0)
    read.wrong('CALLBACK_ALLOW_HOSTS must be empty when NODE_ENV is production: it opens private addresses.')
  if (!config.rateLimits) read.wrong('RATE_LIMITS cannot be off when NODE_ENV is production.')
  if (config.demo) read.wrong('DEMO cannot be on when NODE_ENV is production.')
  if (config.backend === 'sandbox' && !config.allowSandboxLive)
    read.wrong(
      'BACKEND is the sandbox, which moves no money; set ALLOW_SANDBOX_LIVE=true if production shall run on it.',
    )
  if (config.backend === 'stripe' && !config.stripe?.livemode && !config.allowSandboxLive)
    read.wrong(
      'STRIPE_SECRET_KEY is a test key, which moves no money; set ALLOW_SANDBOX_LIVE=true if production shall run on it.',
    )
  if (config.stripe?.apiBase)
    read.wrong('STRIPE_API_BASE is for tests and must be empty when NODE_ENV is production.')
  if (config.backendUrl && !config.backendUrl.startsWith('https://'))
    read.wrong('BACKEND_URL must begin with https:// when NODE_ENV is production.')
  // A model on the operator's own network may be called without TLS, but not with a key.
  if (config.ai?.apiKey && !config.ai.baseUrl.startsWith('https://'))
    read.wrong('AI_BASE_URL must begin with https:// when NODE_ENV is production and AI_API_KEY is set.')
  if (read.text('FAIL_AT')) read.wrong('FAIL_AT is for tests and must be empty when NODE_ENV is production.')
  if (!config.smtpUrl && read.text('MAIL') !== 'files')
    read.wrong('SMTP_URL must be set when NODE_ENV is production (or MAIL=files to write mails to DATA_DIR).')
  if (config.smtpUrl && !read.text('MAIL_FROM')) read.wrong('MAIL_FROM must be set when mails are sent.')
}
