// Connects through an egress proxy (EGRESS_PROXY) with CONNECT. The proxy gets the checked address, not the host name, so
// that the proxy cannot choose another address.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6 } from 'node:net'
import type { Socket } from 'node:net'
import { toError } from './dial.ts'
import type { Dial } from './dial.ts'
import { FetchFailure, toCode } from './fetch-outcome.ts'

/** The statuses of a proxy that cannot reach the merchant's server. */
const MERCHANT_UNREACHABLE: ReadonlySet<number> = new Set([502, 504])

/** The event after which the CONNECT request is sent. */
const CONNECTED: Readonly<Record<string, string>> = { 'http:': 'connect', 'https:': 'secureConnect' }

export function createProxyDial(proxy: URL): Dial {
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const headers: Record<string, string> =
    proxy.username === '' && proxy.password === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }

  return async (address, port, signal) => {
    const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`
    const socket = await new Promise<Socket>((resolve, reject) => {
      // `agent: false` keeps this socket out of shared pools, because the tunnel belongs to one merchant.
      const tunnelRequest = request(proxy, {
        method: 'CONNECT',
        path,
        headers: { ...headers, host: path },
        agent: false,
      })
      let isConnected = false
      tunnelRequest.once('socket', (tcp) => tcp.once(CONNECTED[proxy.protocol]!, () => (isConnected = true)))
      const onAbort = () => tunnelRequest.destroy(toError(signal.reason))
      const stopListening = () => signal.removeEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
      tunnelRequest.once('connect', (response, tunnel: Socket) => {
        stopListening()
        if (response.statusCode === 200) return resolve(tunnel)
        tunnel.destroy()
        reject(toRefusal(response.statusCode ?? 0))
      })
      tunnelRequest.once('response', (response) => {
        stopListening()
        response.destroy()
        reject(toRefusal(response.statusCode ?? 0))
      })
      tunnelRequest.once('error', (error) => {
        stopListening()
        // A proxy that does not respond may be waiting for the merchant's server, so the caller reports the timeout.
        if (signal.aborted && isConnected) return reject(error)
        const detail = signal.aborted ? 'not connected in time' : toCode(error)
        reject(
          new FetchFailure('connect', `the egress proxy failed: ${detail}`, {
            isEgressFault: true,
          }),
        )
      })
      tunnelRequest.end()
    })
    // This listener only keeps a later error from ending the process.
    socket.on('error', () => socket.destroy())
    return { socket, peerAddress: address }
  }
}

function toRefusal(statusCode: number): FetchFailure {
  const isEgressFault = !MERCHANT_UNREACHABLE.has(statusCode)
  return new FetchFailure('connect', `the egress proxy answered ${statusCode}`, { isEgressFault })
}
