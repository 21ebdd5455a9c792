// The host and port halves of the URL rules: names that only mean something inside a network, and ports behind which
// no web server of a merchant stands. Host names come here as the URL parser wrote them: lower case, punycode, no last dot.

/** DNS itself carries no more: 253 characters in a name, 63 in a label. */
const NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * The URL parser lets `; , ' " * ! $ (` and more pass in a name, which no DNS name of a website has and which mean
 * something else in a header. The underscore is no letter of host names either, but names with it resolve and are in
 * use; it has no meaning in any header. An IPv6 literal is what the parser wrote itself.
 */
export function hasDnsCharacters(hostname: string): boolean {
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname)
}

/** Last labels that resolve inside a network or machine, or nowhere; `home.arpa` falls under `arpa`. */
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
  // A single label is completed by the machine's search list, so it is always a name of the network we run in.
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false
  return !INNER_ENDINGS.has(labels.at(-1) ?? '')
}

// What a developer at home writes. It checks refused URLs, so brackets and a last dot are still there.
const OWN_MACHINE = /^(?:.+\.)?localhost\.?$|^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^\[::1\]$/

export function isOwnMachine(hostname: string): boolean {
  return OWN_MACHINE.test(hostname)
}

/** From 1024 up, what the fetch standard keeps browsers away from: protocols a web request can be mistaken for. */
const FETCH_BAD_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]

/** Databases, caches, brokers and control planes: never a merchant's server, always worth an attacker's attempt. */
const INNER_SERVICE_PORTS = [
  1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379, 6380, 8086, 9042, 9092, 9200, 9300,
  10250, 11211, 26379, 27017,
]

const REFUSED_PORTS: ReadonlySet<number> = new Set([...FETCH_BAD_PORTS, ...INNER_SERVICE_PORTS])

/** Below 1024 only https itself: everything else there is mail, remote shells and file shares. */
export function isCallbackPort(port: number): boolean {
  return port === 443 || (port >= 1024 && !REFUSED_PORTS.has(port))
}
