// Holds the connections to merchants, which are reused for later callbacks to the same origin. A socket stays connected to
// the address that was checked, even if DNS returns another address later.
import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { buildConnector } from 'undici'
import { toError } from './dial.ts'
import type { VettedSocket } from './vetted-connect.ts'

export interface PoolLimits {
  /**
   * After this time an idle connection is closed. Most servers keep idle sockets longer, so a server rarely closes a socket
   * while a POST is sent.
   */
  idleTimeoutMs: number
  /** A connection of this age is closed after its request, so that the host name is looked up and checked again. */
  connectionAgeMsMax: number
  /** How many idle connections to one origin are kept: as many as the requests that one merchant may get at a time. */
  idlePerOriginMax: number
  headerBytesMax: number
}

export interface Connection {
  client: Client
  origin: string
  remoteIp: string | null
  isOpen: boolean
  openedAtMs: number
  idleSinceMs: number
  /** The signal of the attempt that uses the connection now. If it aborts, connecting is aborted too. */
  attempt: AbortSignal
  /** True until the beginning of the final response is read; interim responses (1xx) do not count. */
  isResponseDue: boolean
}

export interface ConnectionPool {
  /** `open` opens a socket to a checked address. It is also called when a reused connection connects again. */
  take(
    origin: string,
    attempt: AbortSignal,
    open: (attempt: AbortSignal) => Promise<VettedSocket>,
  ): Connection
  /** Returns the connection to the pool if it can be reused, otherwise closes it. */
  giveBack(connection: Connection, isReusable: boolean): void
  /** Closes idle connections. After that nothing is reused, and requests in flight close their connections when they end. */
  close(): Promise<void>
}

/**
 * Responses are read in small pieces. If the headers exceed the limit, undici creates an error for each further header in
 * the piece, so a large piece could cause many errors.
 */
const PIECE_BYTES_MAX = 2048

function readInPieces(socket: Socket, connection: Connection): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  socket.read = (size?: number) => {
    const piece = read(size ?? (Math.min(socket.readableLength, PIECE_BYTES_MAX) || undefined))
    if (piece !== null && connection.isResponseDue) connection.isResponseDue = acceptContinue(piece)
    return piece
  }
  return socket
}

const INTERIM = /^HTTP\/1\.[01] 1\d\d[ \r]/
const HEAD_END = '\r\n\r\n'

/**
 * undici closes the connection at an interim response 100 that it did not request, although clients must accept one
 * (RFC 9110, section 15.2). undici accepts a 102, so a 100 is changed to 102. Returns false if the final response has begun.
 */
function acceptContinue(piece: Buffer): boolean {
  let start = 0
  while (start < piece.length) {
    const line = piece.toString('latin1', start, start + 'HTTP/1.1 100 '.length)
    if (!INTERIM.test(line)) return false
    if (line.includes(' 100')) piece.write('2', start + 'HTTP/1.1 10'.length)
    const end = piece.indexOf(HEAD_END, start)
    if (end === -1) return true
    start = end + HEAD_END.length
  }
  return true
}

// Why this is long: short functions that share the idle connections.
export function createConnectionPool(limits: PoolLimits, nowMs: () => number): ConnectionPool {
  const idle = new Map<string, Connection[]>()
  let isClosed = false

  // After a pause of this process, the timer that closes an idle connection may not have run yet.
  const isFresh = ({ idleSinceMs }: Connection) => nowMs() - idleSinceMs < limits.idleTimeoutMs

  const takeIdle = (origin: string): Connection | undefined => {
    const list = idle.get(origin)
    const found = list?.pop()
    if (list?.length === 0) idle.delete(origin)
    if (found === undefined || isFresh(found)) return found
    void found.client.destroy()
    return takeIdle(origin)
  }

  const dropIdle = (connection: Connection) => {
    const list = idle.get(connection.origin)
    if (list?.includes(connection) !== true) return
    const remaining = list.filter((other) => other !== connection)
    if (remaining.length === 0) idle.delete(connection.origin)
    else idle.set(connection.origin, remaining)
    void connection.client.destroy()
  }

  const create: ConnectionPool['take'] = (origin, attempt, open) => {
    const connect = async (callback: buildConnector.Callback) => {
      connection.remoteIp = null
      let vetted: VettedSocket
      try {
        vetted = await open(connection.attempt)
      } catch (error) {
        callback(toError(error), null)
        return
      }
      Object.assign(connection, { remoteIp: vetted.remoteIp, isOpen: true, openedAtMs: nowMs() })
      callback(null, readInPieces(vetted.socket, connection))
    }
    const client = new Client(origin, {
      connect: (_options, callback) => void connect(callback),
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: limits.headerBytesMax,
      keepAliveTimeout: limits.idleTimeoutMs,
      // A hint of the server may shorten this time, but not extend it.
      keepAliveMaxTimeout: limits.idleTimeoutMs,
      // Both timeouts are off. `bodyTimeout` applies to each chunk, so a slow sender would never exceed it. The attempt's
      // signal limits the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: Connection = {
      client,
      origin,
      remoteIp: null,
      isOpen: false,
      openedAtMs: 0,
      idleSinceMs: 0,
      attempt,
      isResponseDue: true,
    }
    client.on('disconnect', () => {
      connection.isOpen = false
      dropIdle(connection)
    })
    return connection
  }

  return {
    take(origin, attempt, open) {
      const reused = takeIdle(origin)
      if (reused === undefined) return create(origin, attempt, open)
      return Object.assign(reused, { attempt, isResponseDue: true })
    },
    giveBack(connection, isReusable) {
      const list = idle.get(connection.origin) ?? []
      const isYoung = nowMs() - connection.openedAtMs < limits.connectionAgeMsMax
      const isReused =
        isReusable && connection.isOpen && isYoung && !isClosed && list.length < limits.idlePerOriginMax
      if (!isReused) return void connection.client.destroy()
      connection.idleSinceMs = nowMs()
      list.push(connection)
      idle.set(connection.origin, list)
    },
    async close() {
      isClosed = true
      const all = [...idle.values()].flat()
      idle.clear()
      await Promise.all(all.map((connection) => connection.client.destroy()))
    },
  }
}
