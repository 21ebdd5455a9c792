// Finds faults in a URL before it is sent, and names them with the error codes of the service. Every URL that the
// service accepts is accepted here.
import { URL_LENGTH_MAX } from '@pazar/contract/limits'

/** Top-level names that no public server has. */
const INTERNAL_ENDINGS = new Set(
  'arpa corp internal intranet invalid lan local localdomain localhost onion test'.split(' '),
)
/** The service refuses more ranges than these. */
const PRIVATE_IPV4 = /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\./

/** Hosts on the developer's own machine or network. Their error text says how to continue. */
const OWN_MACHINE = /^(?:.+\.)?localhost\.?$|^\[::1\]$/
const LOCAL_IPV4 = /^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\./

/** `any-page`: the result page of a new project, which may be on the developer's machine. */
export type UrlRule = 'any-page' | 'public-page' | 'callback'

export type UrlFault =
  | 'url_too_long'
  | 'url_whitespace'
  | 'url_malformed'
  | 'url_scheme'
  | 'url_userinfo'
  | 'url_fragment'
  | 'url_host_name'
  | 'url_host_characters'
  | 'url_private_address'
  | 'url_own_machine'
  | 'url_own_machine_page'

function findTextFault(text: string): UrlFault | null {
  if (text.length > URL_LENGTH_MAX) return 'url_too_long'
  if (/[\s\p{Cc}]/u.test(text)) return 'url_whitespace'
  if (text.includes('\\')) return 'url_malformed'
  // The text is a host with a port and without a scheme. URL.parse would read the host as the scheme.
  if (/^[a-z0-9.-]+:\d/i.test(text)) return 'url_malformed'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'url_malformed'
  if (scheme !== 'https' && scheme !== 'http') return 'url_scheme'
  const authority = /^[a-z]+:\/\/([^/?#][^/]*)/i.exec(text)?.[1]
  if (authority === undefined) return 'url_malformed'
  return authority.includes('@') ? 'url_userinfo' : null
}

/** A name such as `10.shop.me` is no address. */
function isIPv4(hostname: string): boolean {
  return /^\d+(?:\.\d+){3}$/.test(hostname)
}

function isOwnMachine(hostname: string): boolean {
  return OWN_MACHINE.test(hostname) || (isIPv4(hostname) && LOCAL_IPV4.test(hostname))
}

function findHostFault(hostname: string): UrlFault | null {
  if (hostname.startsWith('[')) return hostname === '[::1]' ? 'url_private_address' : null
  if (isIPv4(hostname)) return PRIVATE_IPV4.test(hostname) ? 'url_private_address' : null
  const labels = hostname.replace(/\.$/, '').split('.')
  return labels.length < 2 || INTERNAL_ENDINGS.has(labels.at(-1) ?? '') ? 'url_host_name' : null
}

export function findUrlFault(text: string, rule: UrlRule, allowHosts: readonly string[]): UrlFault | null {
  const fault = findTextFault(text)
  if (fault !== null) return fault
  const url = URL.parse(text)
  if (url === null || url.hostname.endsWith('..')) return 'url_malformed'
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return 'url_host_characters'
  if (rule === 'any-page') return null
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const exempt = allowHosts.includes(`${url.hostname.replace(/\.$/, '')}:${port}`)
  if (!exempt) {
    if (isOwnMachine(url.hostname)) return rule === 'callback' ? 'url_own_machine' : 'url_own_machine_page'
    if (url.protocol !== 'https:') return 'url_scheme'
    const hostFault = findHostFault(url.hostname)
    if (hostFault !== null) return hostFault
  }
  return rule === 'callback' && url.href.includes('#') ? 'url_fragment' : null
}
