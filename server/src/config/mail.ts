import type { EnvReader } from './env-reader.ts'

export interface MailSettings {
  /** Null: mails are written to files in the data directory. */
  smtpUrl: string | null
  /** Whether a connection to an smtp: URL must switch to TLS. */
  smtpRequireTls: boolean
  mailFrom: string
  operatorName: string
  operatorEmail: string | null
  supportUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** The links that edit a page of the docs start with this address. Null: no such links. */
  docsEditUrl: string | null
}

/**
 * In production, the query of SMTP_URL may set only these options of the mail library, because they cannot weaken TLS.
 */
const SMTP_OPTIONS = ['name', 'authMethod', 'tls.servername']

function readSmtp(read: EnvReader, production: boolean): Pick<MailSettings, 'smtpUrl' | 'smtpRequireTls'> {
  const url = read.text('MAIL') === 'files' ? null : read.loginUrl('SMTP_URL', ['smtp:', 'smtps:'])
  const allowPlaintext = read.flag('SMTP_ALLOW_PLAINTEXT', false)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(url?.hostname ?? '')
  if (url && allowPlaintext && !isLoopback)
    read.addProblem(
      'SMTP_ALLOW_PLAINTEXT is for a relay on this machine: with it, SMTP_URL must name localhost, 127.0.0.1 or [::1].',
    )
  if (url && production && [...url.searchParams.keys()].some((name) => !SMTP_OPTIONS.includes(name)))
    read.addProblem(
      `SMTP_URL may set only ${SMTP_OPTIONS.join(', ')} after the ? when NODE_ENV is production (trust a private CA with NODE_EXTRA_CA_CERTS).`,
    )
  return { smtpUrl: url?.href ?? null, smtpRequireTls: production && !allowPlaintext }
}

export function readMail(read: EnvReader, production: boolean): MailSettings {
  if (read.oneOf('MAIL', ['smtp', 'files'], 'files') === 'smtp' && !read.text('SMTP_URL'))
    read.addProblem('SMTP_URL must be set when MAIL is smtp.')
  return {
    ...readSmtp(read, production),
    mailFrom: read.mailbox('MAIL_FROM') ?? 'Pazar <no-reply@localhost>',
    operatorName: read.text('OPERATOR_NAME') ?? 'Pazar',
    operatorEmail: read.mailbox('OPERATOR_EMAIL'),
    supportUrl: read.url('SUPPORT_URL', ['https:', 'http:', 'mailto:'])?.href ?? null,
    termsUrl: read.url('TERMS_URL', ['https:', 'http:'])?.href ?? null,
    privacyUrl: read.url('PRIVACY_URL', ['https:', 'http:'])?.href ?? null,
    docsEditUrl: read.url('DOCS_EDIT_URL', ['https:', 'http:'])?.href.replace(/\/*$/, '/') ?? null,
  }
}
