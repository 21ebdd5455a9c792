// Sends a long file part by part, at the pace of its reader. A reader that stops reading is disconnected.
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Any byte that a slow reader takes restarts this timeout. */
const READ_TIMEOUT_MS = 60_000

export function sendParts(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  timeoutMs = READ_TIMEOUT_MS,
): FastifyReply {
  // Nobody listens for the event `timeout`, so Node destroys the socket after the timeout. A request that a test injects has
  // no socket.
  const { socket } = reply.raw
  if (socket instanceof Socket) socket.setTimeout(timeoutMs)
  return reply.send(Readable.from(parts))
}
