// Sends a long file part by part, at the pace of its reader. A reader that stops reading is disconnected.
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Until then, the connection and some parts of the file stay in memory. A slow reader has time to spare: any byte that it
 * takes starts this time again.
 */
const READ_TIMEOUT_MS = 60_000

export function sendParts(
  reply: FastifyReply,
  parts: AsyncIterable<string>,
  timeoutMs = READ_TIMEOUT_MS,
): FastifyReply {
  // Without a listener, Node destroys the socket itself. After the response, Node sets the time for the next request.
  // A request that is not from the network has no such socket.
  const { socket } = reply.raw
  if (socket instanceof Socket) socket.setTimeout(timeoutMs)
  return reply.send(Readable.from(parts))
}
