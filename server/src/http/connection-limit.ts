// Without this limit, a single machine that opens sockets and sends nothing could use up all connections.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../lib/logger.ts'
import { toAddressKey } from './client-address.ts'

/**
 * A tenth of the connections that a process accepts (server.ts). A browser opens at most six connections to one host, so
 * about eighty people can share one IP address.
 */
export const CONNECTIONS_PER_ADDRESS_MAX = 500

/** Only for TRUST_PROXY=0. Behind a proxy, every connection comes from the proxy, so the proxy must limit its clients itself. */
export function limitConnections(server: Server, log: Logger, max = CONNECTIONS_PER_ADDRESS_MAX): void {
  const openByAddress = new Map<string, number>()
  let hasWarned = false

  function refuse(socket: Socket, address: string): void {
    socket.destroy()
    if (hasWarned) return
    hasWarned = true
    log.warn(
      { address, max },
      'an address has reached the connection limit; if it is your own proxy, set TRUST_PROXY',
    )
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = toAddressKey(socket.remoteAddress ?? '')
    const count = openByAddress.get(address) ?? 0
    if (count >= max) return refuse(socket, address)
    openByAddress.set(address, count + 1)
    socket.once('close', () => {
      const remaining = (openByAddress.get(address) ?? 1) - 1
      if (remaining > 0) openByAddress.set(address, remaining)
      else openByAddress.delete(address)
    })
  })
}
