// The site that passkeys belong to. Browsers bind a passkey to a host name, so passkeys do not work on an IP address.
import { isIP } from 'node:net'

export interface RelyingParty {
  id: string
  name: string
  origin: string
}

/** Null if the host of BASE_URL is an IP address. Then passkeys are off. */
export function toRelyingParty(config: { baseUrl: string; operatorName: string }): RelyingParty | null {
  const { hostname, origin } = new URL(config.baseUrl)
  const isAddress = isIP(hostname) > 0 || hostname.startsWith('[')
  return isAddress ? null : { id: hostname, name: config.operatorName, origin }
}
