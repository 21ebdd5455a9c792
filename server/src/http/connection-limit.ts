// How many connections one address may hold open. Without it a single machine that opens sockets and says nothing takes
// all there are.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../lib/logger.ts'
import { toAddressKey } from './rate-limits.ts'

/**
 * A tenth of all. A browser holds six at most, so this is still some eighty busy people behind one shared address, and
 * the rest of the world keeps nine tenths.
 */
export const CONNECTIONS_PER_ADDRESS_MAX = 500

/**
 * For a server that clients reach directly (TRUST_PROXY=0). Behind a proxy every connection comes from the proxy, which
 * has to hold this limit itself.
 */
export function limitConnections(server: Server, log: Logger, max = CONNECTIONS_PER_ADDRESS_MAX): void {
  const open = new Map<string, number>()
  let hasWarned = false

  function refuse(socket: Socket, address: string): void {
    socket.destroy()
    if (hasWarned) return
    hasWarned = true
    log.warn(
      { address, max },
      'an address holds all the connections one may have; if it is a proxy of yours, set TRUST_PROXY',
    )
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = toAddressKey(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    if (count >= max) return refuse(socket, address)
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
