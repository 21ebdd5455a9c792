// Decides which URLs a project may have. The rules are applied when a project is saved and when a callback is sent, because a
// stored URL may break a newer rule. DNS results are checked elsewhere (projects/resolve-check.ts, vetted-connect.ts).
import { isIP } from 'node:net'
import { URL_LENGTH_MAX } from '@pazar/contract'
import { isPublicAddress } from '../lib/public-address.ts'
import { hasDnsCharacters, isCallbackPort, isPublicHostName } from './url-hosts.ts'

export type UrlProblem =
  | 'too_long'
  | 'whitespace' // A space, tab, line break or control character anywhere.
  | 'malformed' // Not an absolute URL, or a URL that a parser would have to correct.
  | 'scheme'
  | 'userinfo'
  | 'fragment'
  | 'host_name'
  | 'host_characters' // A character in the host that no DNS name has.
  | 'port'
  | 'private_address'

/** `href` is the form that is stored, shown and used for requests. */
export interface GoodUrl {
  problem: null
  href: string
  /** The host without the brackets of an IPv6 literal. */
  hostname: string
  port: number
  isHttps: boolean
  /** A host of CALLBACK_ALLOW_HOSTS: it needs neither https nor a public address. */
  isExempt: boolean
}

export type ParsedUrl = GoodUrl | { problem: UrlProblem }

/** `host:port` pairs of CALLBACK_ALLOW_HOSTS, in lower case. An IPv6 literal keeps its brackets. */
export type AllowHosts = ReadonlySet<string>

export function parseCallbackUrl(text: string, allow: AllowHosts): ParsedUrl {
  const parsed = parsePublicHttpsUrl(text, allow)
  // A client never sends the fragment, so a callback URL with a fragment is a mistake.
  return parsed.problem === null && parsed.href.includes('#') ? { problem: 'fragment' } : parsed
}

/** For the `resultUrl` of an updated project, and for a brand's website. The URL may have a fragment, as in pages such as `#/paid`. */
export function parsePublicHttpsUrl(text: string, allow: AllowHosts): ParsedUrl {
  const parsed = parseHttpUrl(text)
  if (parsed.problem !== null) return parsed
  const checked = { ...parsed, isExempt: allow.has(toPair(parsed)) }
  const problem = checked.isExempt ? null : findPublicHttpsProblem(checked)
  return problem === null ? checked : { problem }
}

/** For the `resultUrl` of a new project: an absolute http or https URL, which may be on the merchant's own machine. */
export function parseResultUrl(text: string): ParsedUrl {
  return parseHttpUrl(text)
}

function findPublicHttpsProblem(url: GoodUrl): UrlProblem | null {
  if (!url.isHttps) return 'scheme'
  if (isIP(url.hostname) !== 0) {
    if (!isPublicAddress(url.hostname)) return 'private_address'
  } else if (!isPublicHostName(url.hostname)) return 'host_name'
  return isCallbackPort(url.port) ? null : 'port'
}

function parseHttpUrl(text: string): ParsedUrl {
  const problem = findTextProblem(text)
  if (problem !== null) return { problem }
  const url = URL.parse(text)
  if (url === null) return { problem: 'malformed' }
  if (url.username !== '' || url.password !== '') return { problem: 'userinfo' }
  // `shop.me.` and `shop.me` are the same host. With the dot, the name would match neither the allow list nor the certificate
  // nor pooled connections.
  if (url.hostname.endsWith('..')) return { problem: 'malformed' }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (!hasDnsCharacters(url.hostname)) return { problem: 'host_characters' }
  // Percent-encoding can make the URL longer than the text that was typed.
  if (url.href.length > URL_LENGTH_MAX) return { problem: 'too_long' }
  const isHttps = url.protocol === 'https:'
  return {
    problem: null,
    href: url.href,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isHttps ? 443 : 80) : Number(url.port),
    isHttps,
    isExempt: false,
  }
}

/**
 * Mainly finds texts that the WHATWG parser would correct silently. Other programs may read another host from such a text.
 */
function findTextProblem(text: string): UrlProblem | null {
  if (text.length > URL_LENGTH_MAX) return 'too_long'
  if (/[\s\p{Cc}]/u.test(text)) return 'whitespace'
  if (text.includes('\\') || !text.isWellFormed()) return 'malformed'
  // `localhost:3000/thanks`: a host with its port, and no scheme.
  if (/^[a-z0-9.-]+:\d/i.test(text)) return 'malformed'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'malformed'
  if (scheme !== 'https' && scheme !== 'http') return 'scheme'
  const authority = /^[a-z]+:\/\/([^/?#][^/]*)/i.exec(text)?.[1]
  if (authority === undefined) return 'malformed'
  // `authority` ends at the first slash, not at `?` or `#`, because parsers disagree about the host of
  // `https://shop.me#@127.0.0.1`.
  return authority.includes('@') ? 'userinfo' : null
}

function toPair(url: GoodUrl): string {
  return `${url.hostname.includes(':') ? `[${url.hostname}]` : url.hostname}:${url.port}`
}
