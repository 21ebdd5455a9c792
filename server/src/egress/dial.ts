// Opens a TCP connection to one address that was checked before. The connection is opened by this address and not by a host
// name, so there is no second lookup that could return another address.
import { connect, isIPv6 } from 'node:net'
import type { Socket } from 'node:net'

export interface DialedSocket {
  socket: Socket
  /** The remote address as the kernel reports it. With a proxy: the address that the proxy was told to connect to. */
  peerAddress: string | undefined
}

export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<DialedSocket>

export async function dialDirect(address: string, port: number, signal: AbortSignal): Promise<DialedSocket> {
  const socket = connect({ host: address, port, family: isIPv6(address) ? 6 : 4, noDelay: true })
  await untilEvent(socket, 'connect', signal)
  return { socket, peerAddress: socket.remoteAddress }
}

/** On an error or an abort, the socket is destroyed. */
export function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => socket.destroy(toError(signal.reason))
    const settle = (error?: Error) => {
      signal.removeEventListener('abort', onAbort)
      if (error === undefined) resolve()
      else reject(error)
    }
    // This listener stays. Without a listener, a later error would end the process.
    socket.on('error', settle)
    socket.once('close', () => settle(new Error('the other side closed the connection')))
    socket.once(event, () => settle())
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted')
}
