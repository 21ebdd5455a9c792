// The address that a proxy reports is used only if it is an IP address, with or without a port.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

function stripPort(text: string): string {
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(text)
  if (bracketed) return bracketed[1]!
  return text.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1')
}

/** Proxies are counted from the right of X-Forwarded-For, because clients can send any values on the left. */
export function toTrustedHops(trustProxy: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < trustProxy
}

export function addressOf(req: FastifyRequest): string {
  const address = stripPort(req.ip ?? '')
  return isIP(address) === 0 ? (req.socket.remoteAddress ?? '') : address
}

/** With IPv6, a household or server usually has a whole /64 network, so all addresses of a network count as one. */
export function toAddressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail = ''] = ip.split('%')[0]!.toLowerCase().split('::')
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array<string>(Math.max(8 - first.length - last.length, 0)).fill('0')
  // A group may be written with leading zeros.
  const groups = [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.slice(0, 4).join(':')}::/64`
}
