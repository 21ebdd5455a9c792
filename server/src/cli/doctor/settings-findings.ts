// Findings about invalid settings, and about settings that are valid but do harm in production.
import type { Config } from '../../config.ts'
import { problemFinding, warningFinding } from '../../lib/finding.ts'
import type { Finding } from '../../lib/finding.ts'

/** Each problem names its setting first. */
export function toConfigFindings(problems: readonly string[]): Finding[] {
  return problems.map((what) =>
    problemFinding(
      'config',
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/.exec(what)?.[0] ?? '.env',
      what,
      'Correct it in the environment or in .env; .env.example explains every setting.',
    ),
  )
}

export function examineSettings(config: Config): Finding[] {
  const findings: Finding[] = []
  // The service itself speaks http, so an https address means that a proxy is in front.
  if (config.https && config.trustProxy === 0)
    findings.push(
      problemFinding(
        'proxy_headers',
        'TRUST_PROXY',
        'BASE_URL is https, so a proxy is in front, and its X-Forwarded-For is ignored: all clients share the limits of one address.',
        'Set TRUST_PROXY to the number of proxies (TRUST_PROXY=1), and let the proxy replace X-Forwarded-For (deploy/nginx.conf).',
      ),
    )
  if (!config.https && config.trustProxy > 0)
    findings.push(
      warningFinding(
        'proxy_headers',
        'TRUST_PROXY',
        'TRUST_PROXY is set, but BASE_URL is http: without a proxy, clients can send any address in X-Forwarded-For and so avoid the limits.',
        'Use TRUST_PROXY=0, or set BASE_URL to the https address of the proxy.',
      ),
    )
  if (!config.production) return findings
  if (config.databaseUrl === null)
    findings.push(
      warningFinding(
        'embedded_database',
        'DATABASE_URL',
        'The embedded database serves one process on one machine, without a standby.',
        'Set DATABASE_URL to a PostgreSQL server (15 or newer).',
      ),
    )
  if (config.operatorEmail === null)
    findings.push(
      warningFinding(
        'operator_email',
        'OPERATOR_EMAIL',
        'Nobody gets a mail about incidents.',
        'Set OPERATOR_EMAIL to an address that is read every day.',
      ),
    )
  if (config.metricsPort === null && config.metricsToken === null)
    findings.push(
      warningFinding(
        'metrics_off',
        'METRICS_PORT',
        'There are no metrics, so no alert can warn you.',
        'Use METRICS_PORT=9464 and deploy/alerts.yaml. If METRICS_PORT is set for the service only and not for commands, ignore this.',
      ),
    )
  if (config.smtpUrl === null)
    findings.push(
      warningFinding(
        'mail_files',
        'SMTP_URL',
        'Mails are written to files in DATA_DIR/mail, so nobody receives them.',
        'Set SMTP_URL and MAIL_FROM, and remove MAIL=files.',
      ),
    )
  if (config.backend === 'sandbox' || config.stripe?.livemode === false)
    findings.push(
      warningFinding(
        'moves_no_money',
        'BACKEND',
        'The upstream is a sandbox or has a test key: live payments move no money.',
        'Choose BACKEND=http or BACKEND=stripe with live keys, and remove ALLOW_SANDBOX_LIVE.',
      ),
    )
  return findings
}
