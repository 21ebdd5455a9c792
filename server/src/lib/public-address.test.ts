import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countRounds } from '../../test/counts.ts'
import { containsAddress, isReachableByRegistry, registries, toBlock } from '../../test/iana/registries.ts'
import type { Address, Block } from '../../test/iana/registries.ts'
import { isPublicAddress } from './public-address.ts'

/** Blocks that this service refuses although the registries allow at least a part of them. */
const EXCEPTIONS = [
  ['168.63.129.16/32', 'Azure responds at this address inside a virtual machine'],
  ['192.0.0.0/24', 'protocol assignments; no merchant uses the two anycast services in this block'],
  ['64:ff9b::/96', 'a NAT64 address contains an IPv4 address that may be private'],
  [
    '2001::/23',
    'protocol assignments; no merchant uses the relays, ORCHID and anycast services in this block',
  ],
].map(([cidr, why]) => toBlock(cidr!, why!, false))

function isPublicHere(address: Address): boolean {
  return isReachableByRegistry(address) && !EXCEPTIONS.some((block) => containsAddress(block, address))
}

const bordersOf = (bits: Block['bits']) =>
  [...registries, ...EXCEPTIONS]
    .filter((block) => block.bits === bits)
    .flatMap((block) => [block.first, block.last])

function write4(n: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((n >> shift) & 255n)).join('.')
}

/** Writes an IPv6 address in one of the spellings that a resolver, a socket or a person may use. */
function write6(n: bigint, spelling: number): string {
  const hex = n.toString(16).padStart(32, '0')
  const full = hex.match(/.{4}/g)?.join(':') ?? ''
  if (spelling === 0) return full
  if (spelling === 1) return full.toUpperCase()
  if (spelling === 2) return `${full.slice(0, 30)}${write4(n & 0xffffffffn)}`
  const short = full.replaceAll(/\b0{1,3}/g, '')
  const longestZeros = [...short.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length)[0]
  if (longestZeros === undefined) return short
  const tail = short.slice(longestZeros.index + longestZeros[0].length)
  return `${short.slice(0, longestZeros.index).replace(/:$/, '')}::${tail.replace(/^:/, '')}`
}

/** Numbers at a border and near it, the same numbers with one bit flipped, and any other numbers. */
function bigIntNear(borders: bigint[], max: bigint): fc.Arbitrary<bigint> {
  const clamp = (n: bigint) => (n < 0n ? 0n : n > max ? max : n)
  const border = fc
    .tuple(fc.constantFrom(...borders), fc.bigInt(-3n, 3n))
    .map(([edge, offset]) => clamp(edge + offset))
  // A flipped bit near a border shows a wrong mask or a wrong byte order.
  const bits = BigInt(max.toString(2).length - 1)
  const flipped = fc.tuple(border, fc.bigInt(0n, bits)).map(([n, bit]) => n ^ (1n << bit))
  return fc.oneof({ weight: 4, arbitrary: border }, flipped, fc.bigInt(0n, max))
}

const MAX_4 = (1n << 32n) - 1n
const MAX_6 = (1n << 128n) - 1n
const SEED = 20_260_726

test('for random addresses, isPublicAddress agrees with the IANA registries, except in the blocks listed here', (t) => {
  const rounds = countRounds('addressClassifier', t)
  const v4 = bigIntNear(bordersOf(32), MAX_4).map((n) => ({
    text: write4(n),
    isPublic: isPublicHere({ bits: 32, number: n }),
  }))
  const v6 = fc
    .tuple(bigIntNear(bordersOf(128), MAX_6), fc.nat(3))
    .map(([n, spelling]) => ({ text: write6(n, spelling), isPublic: isPublicHere({ bits: 128, number: n }) }))
  const counts = { public: 0, refused: 0 }
  fc.assert(
    fc.property(fc.oneof(v4, v6), ({ text, isPublic }) => {
      counts[isPublic ? 'public' : 'refused']++
      assert.equal(isPublicAddress(text), isPublic, text)
    }),
    { numRuns: rounds, seed: SEED },
  )
  // The test proves something only if the generator produces both public and refused addresses.
  assert.ok(counts.public > rounds / 10 && counts.refused > rounds / 10, JSON.stringify(counts))
})

test('addresses at the borders of every registry block are classified as the registries and the exceptions say', () => {
  for (const { bits, first, last, cidr } of [...registries, ...EXCEPTIONS])
    for (const n of [first - 1n, first, first + 1n, last - 1n, last, last + 1n]) {
      if (n < 0n || n > (bits === 32 ? MAX_4 : MAX_6)) continue
      const text = bits === 32 ? write4(n) : write6(n, 3)
      assert.equal(isPublicAddress(text), isPublicHere({ bits, number: n }), `${text} near ${cidr}`)
    }
})

for (const block of EXCEPTIONS) {
  test(`${block.cidr} is refused although the registries allow at least a part of it: ${block.name}`, () => {
    const blocks = [
      ...registries.filter((one) => containsAddress(block, { bits: one.bits, number: one.first })),
      block,
    ]
    const isAllowed = blocks.some(({ bits, first }) => isReachableByRegistry({ bits, number: first }))
    assert.ok(isAllowed, 'no registry allows any part of this block, so the block is not an exception')
    for (const { bits, first, last } of blocks)
      for (const n of [first, last])
        assert.equal(isPublicAddress(bits === 32 ? write4(n) : write6(n, 0)), false)
  })
}

test('addresses of well-known public services, and some addresses next to refused blocks, are public', () => {
  const ipv4 = [
    '1.1.1.1',
    '8.8.8.8',
    '9.9.9.9',
    '168.63.129.15',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.255',
  ]
  const ipv6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::200e', '2620:fe::fe']
  for (const ip of [...ipv4, ...ipv6]) assert.equal(isPublicAddress(ip), true, ip)
})

test('special addresses (such as loopback, private and metadata) and IPv6 addresses with an IPv4 address inside are not public', () => {
  const v4 = [
    '127.0.0.1',
    '10.0.0.5',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '255.255.255.255',
  ]
  const v6 = [
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::808:808',
    '2002:7f00:1::',
  ]
  const otherPrivate = [
    '64:ff9b:1::1',
    '100::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
  ]
  for (const ip of [...v4, ...v6, ...otherPrivate]) assert.equal(isPublicAddress(ip), false, ip)
})

test('text that is not a plain address is not public', () => {
  const invalid = [
    '',
    ' 1.1.1.1',
    '1.1.1.1 ',
    '0x1.1.1.1',
    '01.1.1.1',
    '1.1',
    '16843009',
    'one.one.one.one',
    '1.1.1.1:443',
  ]
  const invalid6 = [
    '[2606:4700::1]',
    '2606:4700::1%eth0',
    '2606:4700::1/128',
    '2606:4700',
    ':::',
    '2606::4700::1',
  ]
  for (const ip of [...invalid, ...invalid6]) assert.equal(isPublicAddress(ip), false, ip)
})
