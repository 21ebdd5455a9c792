import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { count } from '../../test/counts.ts'
import { isPublicAddress } from './public-address.ts'

// The oracle: IANA's special-purpose registries as first and last numbers, read by a parser of our own. It shares no
// code and no notation with the module: numbers between two ends there, leading bits here.
type Block = readonly [first: bigint, last: bigint]

function toNumber4(dotted: string): bigint {
  return dotted.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

/** Eight groups of four hexadecimal digits, written out in full. */
function toNumber6(groups: string): bigint {
  const digits = groups.replaceAll(':', '')
  assert.equal(digits.length, 32)
  return BigInt(`0x${digits}`)
}

const REFUSED_4: Block[] = (
  [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
  ] as const
).map(([first, last]) => [toNumber4(first), toNumber4(last)])

const F = 'ffff:ffff:ffff:ffff:ffff:ffff'
const Z = '0000:0000:0000:0000:0000:0000'
const REFUSED_6: Block[] = (
  [
    [`0000:0000:${Z}`, `1fff:ffff:${F}`], // Below global unicast: loopback, mapped, NAT64, discard-only.
    [`2001:0000:${Z}`, `2001:01ff:${F}`], // Teredo, benchmarking, AMT, ORCHID and their neighbours.
    [`2001:0db8:${Z}`, `2001:0db8:${F}`],
    [`2002:0000:${Z}`, `2002:ffff:${F}`],
    [`3fff:0000:${Z}`, `3fff:0fff:${F}`],
    [`4000:0000:${Z}`, `ffff:ffff:${F}`], // Above it: segment routing, unique local, link-local, multicast.
  ] as const
).map(([first, last]) => [toNumber6(first), toNumber6(last)])

/** Borders nobody refuses as a block of its own, yet where a slip of a bit would show. */
const MORE_BORDERS_6 = [
  `0000:0000:0000:0000:0000:ffff:0000:0000`,
  `0000:0000:0000:0000:ffff:0000:0000:0000`,
  `0064:ff9b:${Z}`,
  `0064:ff9b:0001:0000:0000:0000:0000:0000`,
  `0100:0000:${Z}`,
  `2600:0000:${Z}`,
  `2620:004f:8000:0000:0000:0000:0000:0000`,
  `fc00:0000:${Z}`,
  `fe80:0000:${Z}`,
  `fec0:0000:${Z}`,
  `ff00:0000:${Z}`,
].map(toNumber6)

const isRefused = (blocks: Block[], n: bigint) => blocks.some(([first, last]) => first <= n && n <= last)

function write4(n: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((n >> shift) & 255n)).join('.')
}

/** The spellings of one IPv6 address that a resolver, a socket or a person may hand over. */
function write6(n: bigint, spelling: number): string {
  const hex = n.toString(16).padStart(32, '0')
  const full = hex.match(/.{4}/g)?.join(':') ?? ''
  if (spelling === 0) return full
  if (spelling === 1) return full.toUpperCase()
  if (spelling === 2) return `${full.slice(0, 30)}${write4(n & 0xffffffffn)}`
  const short = full.replaceAll(/\b0{1,3}/g, '')
  const longest = [...short.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length)[0]
  if (longest === undefined) return short
  const after = short.slice(longest.index + longest[0].length)
  return `${short.slice(0, longest.index).replace(/:$/, '')}::${after.replace(/^:/, '')}`
}

function near(borders: bigint[], max: bigint): fc.Arbitrary<bigint> {
  const clamp = (n: bigint) => (n < 0n ? 0n : n > max ? max : n)
  const border = fc.tuple(fc.constantFrom(...borders), fc.bigInt(-3n, 3n)).map(([at, by]) => clamp(at + by))
  // One flipped bit near a border is where a wrong mask or a wrong byte order answers differently.
  const bits = BigInt(max.toString(2).length - 1)
  const flipped = fc.tuple(border, fc.bigInt(0n, bits)).map(([n, bit]) => n ^ (1n << bit))
  return fc.oneof({ weight: 4, arbitrary: border }, flipped, fc.bigInt(0n, max))
}

const MAX_4 = (1n << 32n) - 1n
const MAX_6 = (1n << 128n) - 1n
const SEED = 20_260_726

test('no address is classified other than by the registries, read a second and different way', (t) => {
  const rounds = count('addressClassifier', t)
  const v4 = near(REFUSED_4.flat(), MAX_4).map((n) => ({ text: write4(n), open: !isRefused(REFUSED_4, n) }))
  const v6 = fc
    .tuple(near([...REFUSED_6.flat(), ...MORE_BORDERS_6], MAX_6), fc.nat(3))
    .map(([n, spelling]) => ({ text: write6(n, spelling), open: !isRefused(REFUSED_6, n) }))
  const seen = { open: 0, refused: 0 }
  fc.assert(
    fc.property(fc.oneof(v4, v6), ({ text, open }) => {
      seen[open ? 'open' : 'refused']++
      assert.equal(isPublicAddress(text), open, text)
    }),
    { numRuns: rounds, seed: SEED },
  )
  // A generator that only ever makes one kind would prove nothing.
  assert.ok(seen.open > rounds / 10 && seen.refused > rounds / 10, JSON.stringify(seen))
})

test('the addresses of well-known public services are public', () => {
  const open = [
    '1.1.1.1',
    '8.8.8.8',
    '9.9.9.9',
    '168.63.129.15',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.255',
  ]
  const open6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::200e', '2620:fe::fe']
  for (const ip of [...open, ...open6]) assert.equal(isPublicAddress(ip), true, ip)
})

test('loopback, private, metadata and embedded forms are not public', () => {
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
  const more = [
    '64:ff9b:1::1',
    '100::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
  ]
  for (const ip of [...v4, ...v6, ...more]) assert.equal(isPublicAddress(ip), false, ip)
})

test('text that is no plain address is not public', () => {
  const odd = [
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
  const odd6 = [
    '[2606:4700::1]',
    '2606:4700::1%eth0',
    '2606:4700::1/128',
    '2606:4700',
    ':::',
    '2606::4700::1',
  ]
  for (const ip of [...odd, ...odd6]) assert.equal(isPublicAddress(ip), false, ip)
})
