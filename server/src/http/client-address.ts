// The client's address, by which requests are limited. The address that a proxy reports is used only if it is an IP address,
// with or without a port.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

function stripPort(text: string): string {
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(text)
  if (bracketed) return bracketed[1]!
  return text.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1')
}

export function addressOf(req: FastifyRequest): string {
  const address = stripPort(req.ip ?? '')
  return isIP(address) === 0 ? (req.socket.remoteAddress ?? '') : address
}
