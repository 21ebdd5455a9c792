// Which URLs a project may hold. Pure rules on the text alone: applied when a project is saved, and again before every
// delivery, because a row saved earlier may be worse than today's rules. What DNS says is judged elsewhere
// (resolve-check when saving, the connector when sending).
import { isIP } from 'node:net'
import { URL_LENGTH_MAX } from '@pazar/contract'
import { isPublicAddress } from '../lib/public-address.ts'
import { hasDnsCharacters, isCallbackPort, isPublicHostName } from './url-hosts.ts'

export type UrlProblem =
  | 'too_long'
  | 'whitespace' // A space, tab, line break or control character anywhere.
  | 'malformed' // No absolute URL, or one that a parser would have to repair.
  | 'scheme'
  | 'userinfo'
  | 'fragment'
  | 'host_name'
  | 'host_characters' // A sign in the host that no DNS name has.
  | 'port'
  | 'private_address'

/** `href` is the one form to store, show and send to: what the rules judged, not what was typed. */
export interface GoodUrl {
  problem: null
  href: string
  /** Without the brackets of an IPv6 literal. */
  hostname: string
  port: number
  isHttps: boolean
  /** A development pair: neither https nor a public address is required of it. */
  isExempt: boolean
}

export type ParsedUrl = GoodUrl | { problem: UrlProblem }

/** `host:port` pairs of CALLBACK_ALLOW_HOSTS, in lower case; an IPv6 literal keeps its brackets. */
export type AllowHosts = ReadonlySet<string>

/** `apiUrl` and `testApiUrl`, whenever saved or sent to. */
export function parseCallbackUrl(text: string, allow: AllowHosts): ParsedUrl {
  const parsed = parsePublicHttpsUrl(text, allow)
  // A fragment never leaves the client, so a callback URL that has one does not mean what its writer thinks; dropping
  // it would store another URL than the one typed.
  return parsed.problem === null && parsed.href.includes('#') ? { problem: 'fragment' } : parsed
}

/** `resultUrl` on update. It may hold a fragment: merchants whose pages live behind `#/paid` need it in the browser. */
export function parsePublicHttpsUrl(text: string, allow: AllowHosts): ParsedUrl {
  const parsed = parseHttpUrl(text)
  if (parsed.problem !== null) return parsed
  const good = { ...parsed, isExempt: allow.has(toPair(parsed)) }
  const problem = good.isExempt ? null : findPublicHttpsProblem(good)
  return problem === null ? good : { problem }
}

/** `resultUrl` on create: any absolute http or https page, also one on the merchant's own machine. */
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
  // `shop.me.` and `shop.me` are one host; the dot would only split allow lists, certificates and pooled connections.
  if (url.hostname.endsWith('..')) return { problem: 'malformed' }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (!hasDnsCharacters(url.hostname)) return { problem: 'host_characters' }
  // Percent-encoding makes a text longer than it was typed.
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

/** What the WHATWG parser repairs silently: other programs on the way read such a text as another host. */
function findTextProblem(text: string): UrlProblem | null {
  if (text.length > URL_LENGTH_MAX) return 'too_long'
  if (/[\s\p{Cc}]/u.test(text)) return 'whitespace'
  if (text.includes('\\') || !text.isWellFormed()) return 'malformed'
  // `localhost:3000/thanks`: the name of a host with its port, and no scheme at all.
  if (/^[a-z0-9.-]+:\d/i.test(text)) return 'malformed'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'malformed'
  if (scheme !== 'https' && scheme !== 'http') return 'scheme'
  const authority = /^[a-z]+:\/\/([^/?#][^/]*)/i.exec(text)?.[1]
  if (authority === undefined) return 'malformed'
  // Up to the first slash and not only to `?` or `#`: in `https://shop.me#@127.0.0.1` parsers differ on the host.
  return authority.includes('@') ? 'userinfo' : null
}

function toPair(url: GoodUrl): string {
  return `${url.hostname.includes(':') ? `[${url.hostname}]` : url.hostname}:${url.port}`
}
