import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DnsFailure, createStubResolver } from '../../test/stub-resolver.ts'
import { startStubNameServer } from '../../test/stub-name-server.ts'
import { createResolver } from '../lib/resolver.ts'
import { createPublicFetch } from './public-fetch.ts'

test('if a name server responds with SERVFAIL even for the root zone, a failed lookup is not the merchant’s fault', async (t) => {
  for (const [rootZone, isEgressFault] of [
    [{ fails: true }, true],
    [{}, false],
  ] as const) {
    const { server } = await startStubNameServer(t, { 'shop.example.com': { fails: true }, '': rootZone })
    const publicFetch = createPublicFetch({ resolver: createResolver([server]), allowHosts: new Set() })
    t.after(() => publicFetch.close())
    const sent = await publicFetch.post('https://shop.example.com/callback', {}, Buffer.from('{}'))
    assert.partialDeepStrictEqual(sent, { outcome: 'dns', isEgressFault })
  }
})

test('after a failed lookup, the root zone is looked up at the same name servers, even if the machine has new ones by then', async (t) => {
  const fails = () => Promise.reject(new DnsFailure('ETIMEOUT'))
  const resolver = {
    ...createStubResolver({ '.': ['93.184.215.14'] }),
    current: () => ({ resolve4: fails, resolve6: fails }),
  }
  const publicFetch = createPublicFetch({ resolver, allowHosts: new Set() })
  t.after(() => publicFetch.close())
  const sent = await publicFetch.post('https://shop.example.com/callback', {}, Buffer.from('{}'))
  assert.partialDeepStrictEqual(sent, { outcome: 'dns', isEgressFault: true })
})
