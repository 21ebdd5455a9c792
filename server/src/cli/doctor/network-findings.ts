import { createMailTransport } from '../../accounts/mail/mail-transport.ts'
import type { MailDeps } from '../../accounts/mail/deps.ts'
import { createHttpBackend } from '../../backends/http.ts'
import type { Config } from '../../config.ts'
import { isRecordMissing, lookupOnMachine } from '../../lib/resolver.ts'
import { toCode, problemFinding, warningFinding } from '../../lib/finding.ts'
import type { Finding } from '../../lib/finding.ts'

/** A request that gets a response usually takes much less. */
const REACH_TIMEOUT_MS = 5_000
/** Matches the error codes of certificates that Node does not accept. */
const CERTIFICATE_CODE = /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE/
const STRIPE_API = 'https://api.stripe.com'

function listUrls(config: Config): [setting: string, url: string | null][] {
  return [
    ['DATABASE_URL', config.databaseUrl],
    ['DATABASE_DIRECT_URL', config.databaseDirectUrl],
    ['SMTP_URL', config.smtpUrl],
    ['BACKEND_URL', config.backendUrl],
    ['EGRESS_PROXY', config.egressProxy?.href ?? null],
    ['BASE_URL', config.baseUrl],
  ]
}

export async function examineNames(config: Config, lookup = lookupOnMachine): Promise<Finding[]> {
  const checked = listUrls(config).map(async ([setting, url]) => {
    if (url === null) return []
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    try {
      await lookup(host)
      return []
    } catch (error) {
      const what = isRecordMissing(error)
        ? `The name ${host} has no address.`
        : `No name server of this machine responds about ${host} (${toCode(error)}).`
      // Only a warning for BASE_URL: clients resolve this name, perhaps with other name servers.
      const createFinding = setting === 'BASE_URL' ? warningFinding : problemFinding
      return [
        createFinding('dns', setting, what, `Correct the name or the DNS record. Try: getent hosts ${host}`),
      ]
    }
  })
  return (await Promise.all(checked)).flat()
}

export async function examineMail(deps: Pick<MailDeps, 'config' | 'clock' | 'log'>): Promise<Finding[]> {
  if (deps.config.smtpUrl === null) return []
  const transport = createMailTransport(deps)
  try {
    await transport.verify()
    return []
  } catch (error) {
    const code = toCode(error)
    if (code === 'EAUTH')
      return [
        problemFinding(
          'mail_login',
          'SMTP_URL',
          'The mail server refuses user and password.',
          'Correct them in SMTP_URL.',
        ),
      ]
    if (code === 'ETLS')
      return [
        problemFinding(
          'mail_tls',
          'SMTP_URL',
          'The mail server offers no TLS, or none with a valid certificate, so no mail is sent to it.',
          'Use smtps:// or a server with STARTTLS; trust a private CA with NODE_EXTRA_CA_CERTS in the environment (not in .env).',
        ),
      ]
    const fix = 'Correct host and port in SMTP_URL, and let the firewall allow the connection.'
    return [problemFinding('mail_unreachable', 'SMTP_URL', `The mail server cannot be used (${code}).`, fix)]
  } finally {
    transport.close()
  }
}

async function findUnreachable(url: string, toFinding: (code: string) => Finding): Promise<Finding[]> {
  try {
    await fetch(url, { method: 'GET', redirect: 'manual', signal: AbortSignal.timeout(REACH_TIMEOUT_MS) })
    return []
  } catch (error) {
    return [toFinding(toCode(error))]
  }
}

export async function examineUpstream({
  config,
  clock,
  log,
}: Pick<MailDeps, 'config' | 'clock' | 'log'>): Promise<Finding[]> {
  if (config.backend === 'sandbox') return []
  const { backendUrl, backendSecret } = config
  const isHttp = config.backend === 'http' && backendUrl !== null && backendSecret !== null
  const [where, url] = isHttp
    ? ['BACKEND_URL', backendUrl]
    : ['BACKEND', config.stripe?.apiBase ?? STRIPE_API]
  const unreachable = await findUnreachable(url, (code) =>
    problemFinding(
      'upstream_unreachable',
      where,
      `The upstream cannot be reached (${code}).`,
      'Correct the address, let the firewall allow the connection, and trust a private CA with NODE_EXTRA_CA_CERTS in the environment (not in .env).',
    ),
  )
  if (unreachable.length > 0 || !isHttp) return unreachable
  const money = { currency: config.currency, scale: config.amountScale }
  const backend = createHttpBackend({
    url: backendUrl,
    secret: backendSecret,
    secretPrevious: config.backendSecretPrevious,
    clock,
    accounts: [backendUrl],
    terms: { money, log },
  })
  const problem = (await backend.findTermsProblem?.()) ?? null
  if (problem === null) return []
  return [
    problemFinding(
      'upstream_terms',
      'CURRENCY',
      problem,
      'Set CURRENCY and AMOUNT_SCALE to the values of the upstream, or change them there.',
    ),
  ]
}

/** Only warns: a firewall or a router may treat other clients differently than this machine. */
export async function examinePublicAddress(config: Config): Promise<Finding[]> {
  if (!config.https) return []
  return findUnreachable(`${config.baseUrl}/healthz`, (code) =>
    CERTIFICATE_CODE.test(code)
      ? warningFinding(
          'base_url_certificate',
          'BASE_URL',
          `The certificate of ${config.baseUrl} is not trusted here (${code}).`,
          'Let the proxy send the whole chain of a valid certificate for this name. For a private CA set NODE_EXTRA_CA_CERTS in the environment; in .env it has no effect.',
        )
      : warningFinding(
          'base_url_unreachable',
          'BASE_URL',
          `Nothing responds at ${config.baseUrl} (${code}).`,
          'Start the proxy (deploy/nginx.conf), and check the DNS record and the firewall.',
        ),
  )
}
