import { Agent, buildConnector, errors } from 'undici'
import { NeverSentError, UnknownOutcomeError } from './backend.ts'

const CONNECT_TIMEOUT_MS = 3_000

/** Every failure to connect, TLS included, becomes a NeverSentError, because no byte of the request was sent. */
export function createUpstreamAgent(): Agent {
  // Over HTTP/2 all requests share one connection, and a request that times out does not close this connection. So after a
  // silent loss of the connection, every request would fail as long as there is traffic.
  const allowH2 = false
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2 })
  return new Agent({
    allowH2,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (!error) return callback(null, socket)
        const fault = 'unreachable'
        callback(new NeverSentError('no connection to the upstream', { cause: error, fault }), null)
      }),
  })
}

/**
 * After a 429 the upstream has done nothing, so a create is repeated once. The times are short, so that both calls end
 * before a lookup treats the create as lost.
 */
export const RATE_LIMIT_RETRY = { pauseMs: 1_000, timeoutMs: 3_000 }

/** A request that arrives after the upstream has closed the connection often gets a reset. */
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE'])

function isClosed(error: unknown): boolean {
  if (error instanceof errors.SocketError) return true
  return error instanceof Error && 'code' in error && RESET_CODES.has(String(error.code))
}

/**
 * An upstream may close a kept-alive connection while the next request is sent. A read changes nothing, so the read is
 * repeated once.
 */
export async function retryClosed<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isClosed(error)) throw error
    return await read()
  }
}

export async function readResponse(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw new UnknownOutcomeError('the response of the upstream is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
