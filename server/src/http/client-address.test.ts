import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAddressKey } from './client-address.ts'

const ROWS: [ip: string, key: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2a00:1450:4001:81b::200e', '2a00:1450:4001:81b::/64'],
  ['2a00:1450:4001:81b:1:2:3:4', '2a00:1450:4001:81b::/64'],
  ['2a00:1450::1', '2a00:1450:0:0::/64'],
  ['2a00::81b:1:2:3:4', '2a00:0:0:81b::/64'],
  ['2a00:0000:0:081B:1:2:3:4', '2a00:0:0:81b::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
]

for (const [ip, key] of ROWS)
  test(`requests from ${ip} are counted under ${key}`, () => assert.equal(toAddressKey(ip), key))
