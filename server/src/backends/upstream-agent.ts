// How upstreams are reached over HTTP: connections that tell "certainly not sent" apart from everything else, and answers
// that end.
import { Agent, buildConnector } from 'undici'
import { NeverSentError, UnknownOutcomeError } from './backend.ts'

/** Whoever is up accepts a connection in this time; failing here is the one failure that proves nothing was sent. */
const CONNECT_TIMEOUT_MS = 3_000

/** Marks every failure to connect, TLS included: until the connector is done, no byte of a request has left. */
export function createUpstreamAgent(): Agent {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
  return new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (!error) return callback(null, socket)
        const fault = 'unreachable'
        callback(new NeverSentError('no connection to the upstream', { cause: error, fault }), null)
      }),
  })
}

/**
 * One that is asked too often has done nothing, so the same request under the same key may follow once. Together with the
 * call before it this ends before the reconciler takes the request for lost.
 */
export const LIMITED_RETRY = { pauseMs: 1_000, timeoutMs: 3_000 }

export async function readAnswer(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw new UnknownOutcomeError('the upstream answers without end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
