// Checks whether an address belongs to the public internet. The check runs when a URL is saved and at every connection
// for a callback, so that a merchant cannot make this service connect to the operator's own network. Text that is not a
// plain address is not public.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

interface Range {
  bytes: readonly number[]
  bits: number
}

/** IPv4 ranges in which no merchant's server can be, and one public address that Azure uses internally. */
const IPV4_DENIED = [
  '0.0.0.0/8', // This network; 0.0.0.0 itself reaches the local machine on Linux.
  '10.0.0.0/8', // Private use.
  '100.64.0.0/10', // Carrier-grade NAT, and the metadata service of one cloud.
  '127.0.0.0/8', // Loopback.
  '168.63.129.16/32', // Azure's agent inside a virtual machine, although the address is public.
  '169.254.0.0/16', // Link-local, and most clouds' metadata service.
  '172.16.0.0/12', // Private use.
  '192.0.0.0/24', // Protocol assignments.
  '192.0.2.0/24', // Documentation.
  '192.88.99.0/24', // The retired 6to4 relay.
  '192.168.0.0/16', // Private use.
  '198.18.0.0/15', // Benchmarks.
  '198.51.100.0/24', // Documentation.
  '203.0.113.0/24', // Documentation.
  '224.0.0.0/4', // Multicast.
  '240.0.0.0/4', // Reserved, and the broadcast address.
].map(toRange)

/** Public addresses are assigned from this block. Loopback, mapped, NAT64, private and multicast addresses are outside. */
const IPV6_ALLOWED = toRange('2000::/3')

const IPV6_DENIED = [
  '2001::/23', // Protocol assignments: Teredo and ORCHID among them.
  '2001:db8::/32', // Documentation.
  '2002::/16', // 6to4 contains an IPv4 address that this table would not check.
  '3fff::/20', // Documentation.
].map(toRange)

export function isPublicAddress(ip: string): boolean {
  // ipaddr.js would also accept 0x7f.1 and zone ids.
  if (isIP(ip) === 0 || ip.includes('%')) return false
  const address = ipaddr.parse(ip)
  const bytes = address.toByteArray()
  if (address.kind() === 'ipv4') return !IPV4_DENIED.some((range) => isInside(range, bytes))
  return isInside(IPV6_ALLOWED, bytes) && !IPV6_DENIED.some((range) => isInside(range, bytes))
}

function toRange(cidr: string): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr)
  return { bytes: address.toByteArray(), bits }
}

function isInside(range: Range, bytes: readonly number[]): boolean {
  const wholeBytes = range.bits >> 3
  for (let i = 0; i < wholeBytes; i++) if (bytes[i] !== range.bytes[i]) return false
  const restBits = range.bits & 7
  if (restBits === 0) return true
  const shift = 8 - restBits
  return (bytes[wholeBytes] ?? 0) >> shift === (range.bytes[wholeBytes] ?? 0) >> shift
}
