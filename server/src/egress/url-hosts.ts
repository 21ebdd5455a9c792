// The host and port parts of the URL rules. Host names have the URL parser's form: lower case, punycode. A dot at the end of a
// name was removed before (url-rules.ts). Only `isOwnMachine` also gets names with this dot.
import { isIPv4 } from 'node:net'

const NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Whether the host has only characters of a DNS name, or is an IPv6 address. The URL parser also accepts characters that
 * have a special meaning in a header.
 */
export function hasDnsCharacters(hostname: string): boolean {
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname)
}

/** A name with one of these last labels resolves only inside a network or machine, or nowhere. `arpa` covers `home.arpa`. */
const INNER_ENDINGS: ReadonlySet<string> = new Set([
  'arpa',
  'corp',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'test',
])

export function isPublicHostName(hostname: string): boolean {
  if (hostname.length > NAME_LENGTH_MAX) return false
  const labels = hostname.split('.')
  // A single label could be a name of our own network, because the machine's search list completes it.
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false
  return !INNER_ENDINGS.has(labels.at(-1) ?? '')
}

// Names and addresses of a developer's own machine or local network. The patterns are used on refused URLs, so brackets and a
// dot at the end are still there. A name such as `10.shop.me` is no address.
const OWN_MACHINE = /^(?:.+\.)?localhost\.?$|^\[::1\]$/
const LOCAL_IPV4 = /^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\./

export function isOwnMachine(hostname: string): boolean {
  return OWN_MACHINE.test(hostname) || (isIPv4(hostname) && LOCAL_IPV4.test(hostname))
}

/** The ports above 1023 that the fetch standard blocks because their protocols can be confused with HTTP. */
const FETCH_BAD_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

/** Databases, caches, brokers and control planes: targets of attackers. */
const INNER_SERVICE_PORTS = [
  1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379, 6380, 8086, 9042, 9092, 9200, 9300,
  10250, 11211, 26379, 27017,
]

const REFUSED_PORTS: ReadonlySet<number> = new Set([...FETCH_BAD_PORTS, ...INNER_SERVICE_PORTS])

/** Below 1024 only the port of https is allowed, because many others belong to mail, remote shells or file shares. */
export function isCallbackPort(port: number): boolean {
  return port === 443 || (port >= 1024 && !REFUSED_PORTS.has(port))
}
