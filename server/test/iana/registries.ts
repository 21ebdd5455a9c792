// Whether an address is globally reachable according to the registries of IANA. The smallest block that contains the
// address decides. This file shares no code with the address guard, so that it can find faults of the guard.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Block {
  name: string
  cidr: string
  bits: 32 | 128
  first: bigint
  last: bigint
  isReachable: boolean
}

export type Address = Pick<Block, 'bits'> & { number: bigint }

function toNumber(text: string): bigint {
  if (!text.includes(':')) return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [left = '', right] = text.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const tail = groups(right ?? '')
  const middle = Array.from(
    { length: right === undefined ? 0 : 8 - groups(left).length - tail.length },
    () => '0',
  )
  return [...groups(left), ...middle, ...tail].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  )
}

export function toBlock(cidr: string, name: string, isReachable: boolean): Block {
  const [address = '', length = ''] = cidr.split('/')
  const bits = address.includes(':') ? 128 : 32
  const size = 1n << BigInt(bits - Number(length))
  const first = toNumber(address)
  return { name, cidr, bits, first, last: first + size - 1n, isReachable }
}

/** A block with unknown or conditional reachability counts as not reachable. */
function readRegistry(file: string): Block[] {
  const [head, ...lines] = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
  if (head !== 'Address Block,Name,RFC,Globally Reachable') throw new Error(`${file} has unexpected columns.`)
  return lines.map((line) => {
    const [cidr = '', name = '', , reachable] = line.split(',')
    return toBlock(cidr, name, reachable === 'True')
  })
}

export const registries = ['address-space.csv', 'ipv4-special.csv', 'ipv6-special.csv'].flatMap(readRegistry)

export function containsAddress(block: Block, { bits, number }: Address): boolean {
  return block.bits === bits && block.first <= number && number <= block.last
}

export function isReachableByRegistry(address: Address): boolean {
  const found = registries.filter((block) => containsAddress(block, address))
  const narrowest = found.reduce((one, other) =>
    other.last - other.first <= one.last - one.first ? other : one,
  )
  return narrowest.isReachable
}
