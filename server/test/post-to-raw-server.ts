// Sends one POST to a raw server, in the way in which callbacks are sent. The test defines the reply.
import type { TestContext } from 'node:test'
import { startRawServer } from './raw-server.ts'
import type { RawServer, Reply } from './raw-server.ts'
import { createStubResolver } from './stub-resolver.ts'
import { createPublicFetch } from '../src/egress/public-fetch.ts'
import type { FetchLimits, FetchOutcome } from '../src/egress/public-fetch.ts'

export const BODY = Buffer.from('{"event":"payment.result"}')

export async function postToRawServer(
  t: TestContext,
  reply: Reply,
  limits: Partial<FetchLimits> = {},
): Promise<{ server: RawServer; outcome: FetchOutcome }> {
  const server = await startRawServer(t, reply)
  const hostAndPort = `127.0.0.1:${server.port}`
  const resolver = createStubResolver({})
  const publicFetch = createPublicFetch({ resolver, allowHosts: new Set([hostAndPort]), limits })
  t.after(() => publicFetch.close())
  return {
    server,
    outcome: await publicFetch.post(`http://${hostAndPort}/cb?a=1`, { 'webhook-id': 'msg_1' }, BODY),
  }
}
