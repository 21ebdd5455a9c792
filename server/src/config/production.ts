// In production the service does not start with settings that are only safe in development.
import type { Config } from './settings.ts'
import type { EnvReader } from './env-reader.ts'

export function checkProduction(read: EnvReader, config: Config): void {
  if (!read.text('BASE_URL')) read.addProblem('BASE_URL must be set when NODE_ENV is production.')
  else if (!config.https) read.addProblem('BASE_URL must begin with https:// when NODE_ENV is production.')
  if (!read.text('SECRETS_KEY')) read.addProblem('SECRETS_KEY must be set when NODE_ENV is production.')
  if (config.secretsKey && new Set(config.secretsKey).size === 1)
    read.addProblem('SECRETS_KEY is one byte repeated; make a random one with: openssl rand -base64 32')
  if (config.callbackAllowHosts.size > 0)
    read.addProblem(
      'CALLBACK_ALLOW_HOSTS must be empty when NODE_ENV is production: it allows callbacks to private addresses.',
    )
  if (!config.rateLimits) read.addProblem('RATE_LIMITS cannot be off when NODE_ENV is production.')
  if (config.demo) read.addProblem('DEMO cannot be on when NODE_ENV is production.')
  if (config.backend === 'sandbox' && !config.allowSandboxLive)
    read.addProblem(
      'BACKEND is the sandbox, which moves no money; set ALLOW_SANDBOX_LIVE=true to run production on it anyway.',
    )
  if (config.backend === 'stripe' && !config.stripe?.livemode && !config.allowSandboxLive)
    read.addProblem(
      'STRIPE_SECRET_KEY is a test key, which moves no money; set ALLOW_SANDBOX_LIVE=true to run production on it anyway.',
    )
  if (config.stripe?.apiBase)
    read.addProblem('STRIPE_API_BASE is for tests and must be empty when NODE_ENV is production.')
  if (config.backendUrl && !config.backendUrl.startsWith('https://'))
    read.addProblem('BACKEND_URL must begin with https:// when NODE_ENV is production.')
  // A model on the operator's own network may be called without TLS. An API key is sent only over TLS.
  if (config.ai?.apiKey && !config.ai.baseUrl.startsWith('https://'))
    read.addProblem('AI_BASE_URL must begin with https:// when NODE_ENV is production and AI_API_KEY is set.')
  if (read.text('FAIL_AT'))
    read.addProblem('FAIL_AT is for tests and must be empty when NODE_ENV is production.')
  if (!config.smtpUrl && read.text('MAIL') !== 'files')
    read.addProblem(
      'SMTP_URL must be set when NODE_ENV is production (or MAIL=files to write mails to DATA_DIR).',
    )
  if (config.smtpUrl && !read.text('MAIL_FROM')) read.addProblem('MAIL_FROM must be set when mails are sent.')
}
