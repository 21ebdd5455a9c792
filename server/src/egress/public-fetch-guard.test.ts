import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createSecureContext } from 'node:tls'
import { promisify } from 'node:util'
import { makeCertificate } from '../../test/certificates.ts'
import { countRounds } from '../../test/counts.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { DnsFailure, createStubResolver } from '../../test/stub-resolver.ts'
import { PRIVATE_NAMES, REFUSED_URLS } from '../../test/url-corpus.ts'
import { isPublicAddress } from '../lib/public-address.ts'
import type { Resolver } from '../lib/resolver.ts'
import { dialDirect } from './dial.ts'
import type { Dial } from './dial.ts'
import { createPublicFetch } from './public-fetch.ts'
import type { FetchLimits } from './public-fetch.ts'
import { connectVetted } from './vetted-connect.ts'

const BODY = Buffer.from('{}')
const allowHosts = new Set<string>()
const BLOCKED = 'the address is not allowed'

/** Records every dial and lets it fail, so no socket is opened. */
function createDialSpy(): { dial: Dial; dialed: string[] } {
  const dialed: string[] = []
  const dial: Dial = async (address) => {
    dialed.push(address)
    throw new Error('dialed in a test that forbids it')
  }
  return { dial, dialed }
}

function createGuardedFetch(t: TestContext, resolver: Resolver, limits: Partial<FetchLimits> = {}) {
  const { dial, dialed } = createDialSpy()
  const publicFetch = createPublicFetch({ resolver, allowHosts, dialForTests: dial, limits })
  t.after(() => publicFetch.close())
  return { publicFetch, dialed }
}

test('a hostile URL that was stored earlier is refused before any lookup or socket', async (t) => {
  const resolver = createStubResolver({})
  const { publicFetch, dialed } = createGuardedFetch(t, resolver)
  for (const [url, problem] of REFUSED_URLS) {
    const outcome = await publicFetch.post(url, {}, BODY)
    assert.equal(outcome.outcome, 'blocked_address', JSON.stringify(url))
    assert.equal(
      outcome.error,
      problem === 'private_address' ? BLOCKED : `the URL is not allowed: ${problem}`,
    )
    assert.equal(outcome.remoteIp, null)
  }
  assert.deepEqual([resolver.lookedUp, dialed], [[], []])
})

test('the connector refuses a private address literal', async () => {
  const { dial, dialed } = createDialSpy()
  const deps = {
    resolver: createStubResolver({}),
    lookupExempt: async () => [],
    dial,
    secureContext: createSecureContext(),
    connectTimeoutMs: 1000,
  }
  for (const hostname of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
    const target = { hostname, port: 443, isHttps: true, isExempt: false }
    const opening = connectVetted(deps, target, new AbortController().signal)
    await assert.rejects(opening, { outcome: 'blocked_address', message: BLOCKED })
  }
  assert.deepEqual(dialed, [])
})

test('every name that has a private address is refused with the same text, and nothing is dialed', async (t) => {
  const { publicFetch, dialed } = createGuardedFetch(t, createStubResolver(PRIVATE_NAMES))
  for (const host of Object.keys(PRIVATE_NAMES)) {
    const { durationMs: _, ...outcome } = await publicFetch.post(`https://${host}/cb`, {}, BODY)
    assert.deepEqual(outcome, {
      outcome: 'blocked_address',
      statusCode: null,
      error: BLOCKED,
      responseBody: Buffer.alloc(0),
      bodyEnd: 'whole',
      remoteIp: null,
      retryAfter: null,
      location: null,
      isEgressFault: false,
    })
  }
  assert.deepEqual(dialed, [])
})

test('a callback is not sent if its host has no address, or if one of the two DNS queries (A and AAAA) fails', async (t) => {
  const resolvePublic = async () => ['93.184.215.14']
  const resolveNothing = () => Promise.reject(new DnsFailure('ENODATA'))
  const cases: Resolver[] = [
    { resolve4: resolveNothing, resolve6: resolveNothing },
    { resolve4: async () => [], resolve6: async () => [] },
  ]
  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'EREFUSED', 'ECONNREFUSED', 'EBADRESP']) {
    const fails = () => Promise.reject(new DnsFailure(code))
    cases.push({ resolve4: fails, resolve6: fails }, { resolve4: resolvePublic, resolve6: fails })
    cases.push(
      { resolve4: fails, resolve6: async () => ['2606:4700:4700::1111'] },
      { resolve4: fails, resolve6: resolveNothing },
    )
  }
  for (const resolver of cases) {
    const { publicFetch, dialed } = createGuardedFetch(t, resolver)
    const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
    assert.equal(outcome.outcome, 'dns')
    assert.deepEqual(dialed, [])
  }
})

test('if the name servers never respond, the attempt ends without a socket', async (t) => {
  const neverResolve = () => new Promise<string[]>(() => {})
  const hanging: Resolver = { resolve4: neverResolve, resolve6: neverResolve }
  const withShortConnect = createGuardedFetch(t, hanging, { connectTimeoutMs: 10 })
  assert.equal(
    (await withShortConnect.publicFetch.post('https://shop.example.com/', {}, BODY)).outcome,
    'dns',
  )
  const withShortTotal = createGuardedFetch(t, hanging, { totalTimeoutMs: 10, connectTimeoutMs: 600_000 })
  assert.equal(
    (await withShortTotal.publicFetch.post('https://shop.example.com/', {}, BODY)).outcome,
    'timeout',
  )
  assert.deepEqual([...withShortConnect.dialed, ...withShortTotal.dialed], [])
})

test('a socket that turns out to be connected to a private address is closed before a byte is sent', async (t) => {
  const inner = await startRawServer(t, plainResponse('200 OK'))
  const resolver = createStubResolver({ 'shop.example.com': ['93.184.215.14'] })
  // This dial simulates a route from the checked address back into our network. The kernel reports the real remote address.
  const dialForTests: Dial = (_address, _port, signal) => dialDirect('127.0.0.1', inner.port, signal)
  const publicFetch = createPublicFetch({ resolver, allowHosts, dialForTests })
  const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.error, outcome.remoteIp], ['blocked_address', BLOCKED, null])
  await inner.untilAllClosed()
  assert.deepEqual(inner.requests, [])
})

test('the first address that responds is used, and only checked addresses are dialed', async (t) => {
  const shop = makeCertificate({ names: ['shop.example.com'] })
  const server = await startRawServer(t, plainResponse('200 OK'), shop)
  const addresses = ['1.1.1.1', '1.1.1.2', '2606:4700:4700::1111', '1.1.1.4', '1.1.1.5']
  const dialed: string[] = []
  const dialForTests: Dial = async (address, _port, signal) => {
    dialed.push(address)
    if (address === '1.1.1.1') throw new DnsFailure('ECONNREFUSED')
    return { ...(await dialDirect('127.0.0.1', server.port, signal)), peerAddress: address }
  }
  const resolver = createStubResolver({ 'shop.example.com': addresses })
  const publicFetch = createPublicFetch({ resolver, allowHosts, dialForTests, privateCa: shop.cert })
  t.after(() => publicFetch.close())
  const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.remoteIp], ['delivered', '1.1.1.2'])
  assert.deepEqual(dialed, ['1.1.1.1', '1.1.1.2'])
})

test('a name with many dead addresses is given up after three of them', async (t) => {
  const addresses = Array.from({ length: 100 }, (_, i) => `1.1.1.${i}`)
  const { publicFetch, dialed } = createGuardedFetch(t, createStubResolver({ 'shop.example.com': addresses }))
  assert.equal((await publicFetch.post('https://shop.example.com/', {}, BODY)).outcome, 'connect')
  assert.equal(dialed.length, 3)
})

test('a name that is rebound to a private address never gets a connection there', async (t) => {
  const rounds = countRounds('rebindingRounds', t)
  const inner = await startRawServer(t, plainResponse('200 OK'))
  const shop = makeCertificate({ names: ['shop.example.com'] })
  const merchant = await startRawServer(t, plainResponse('200 OK', 'ok', 'connection: close'), shop)
  const dialed: string[] = []
  // Public addresses are mapped to the stub merchant. A private address would reach `inner`, which must stay unused.
  const dialForTests: Dial = async (address, port, signal) => {
    dialed.push(address)
    if (!isPublicAddress(address)) return dialDirect(address, port, signal)
    return { ...(await dialDirect('127.0.0.1', merchant.port, signal)), peerAddress: address }
  }
  const url = `https://shop.example.com:${inner.port}/cb`
  for (let round = 0; round < rounds; round++) {
    // The first query of each kind returns a public address. Later A queries (in even rounds) or AAAA queries (in odd
    // rounds) return a private address.
    const lookups = { v4: 0, v6: 0 }
    const isIPv4Rebound = round % 2 === 0
    const resolver: Resolver = {
      resolve4: async () => [++lookups.v4 > 1 && isIPv4Rebound ? '127.0.0.1' : '93.184.215.14'],
      resolve6: async () => [++lookups.v6 > 1 && !isIPv4Rebound ? '::1' : '2606:4700:4700::1111'],
    }
    const publicFetch = createPublicFetch({ resolver, allowHosts, dialForTests, privateCa: shop.cert })
    const first = await publicFetch.post(url, {}, BODY)
    assert.deepEqual([first.outcome, first.remoteIp], ['delivered', '93.184.215.14'])
    // With one lookup per connection, nothing can be rebound between the check and the dial.
    assert.deepEqual(lookups, { v4: 1, v6: 1 })
    const second = await publicFetch.post(url, {}, BODY)
    assert.equal(second.outcome, 'blocked_address')
    await publicFetch.close()
  }
  assert.equal(inner.connects, 0)
  assert.equal(merchant.connects, rounds)
  assert.ok(dialed.every(isPublicAddress))
})

test('a pooled connection stays on its checked address when the name is rebound', async (t) => {
  const inner = await startRawServer(t, plainResponse('200 OK'))
  const shop = makeCertificate({ names: ['shop.example.com'] })
  const merchant = await startRawServer(t, plainResponse('200 OK'), shop)
  const dialForTests: Dial = async (address, _port, signal) => {
    const port = isPublicAddress(address) ? merchant.port : inner.port
    return { ...(await dialDirect('127.0.0.1', port, signal)), peerAddress: address }
  }
  const addresses = ['93.184.215.14', '127.0.0.1']
  const resolver: Resolver = {
    resolve4: async () => [addresses.shift() ?? '127.0.0.1'],
    resolve6: async () => [],
  }
  const publicFetch = createPublicFetch({ resolver, allowHosts, dialForTests, privateCa: shop.cert })
  t.after(() => publicFetch.close())
  for (let i = 0; i < 3; i++) {
    const outcome = await publicFetch.post('https://shop.example.com/', {}, BODY)
    assert.deepEqual([outcome.outcome, outcome.remoteIp], ['delivered', '93.184.215.14'])
  }
  assert.deepEqual([merchant.connects, inner.connects], [1, 0])
})

test('proxy settings in environment variables are ignored', async (t) => {
  const proxy = await startRawServer(t, plainResponse('502 Bad Gateway'))
  const merchant = await startRawServer(t, plainResponse('200 OK'))
  const pair = `127.0.0.1:${merchant.port}`
  const script = `
    import { createPublicFetch } from ${JSON.stringify(new URL('./public-fetch.ts', import.meta.url).href)}
    import { createResolver } from ${JSON.stringify(new URL('../lib/resolver.ts', import.meta.url).href)}
    const publicFetch = createPublicFetch({ resolver: createResolver(), allowHosts: new Set(['${pair}']) })
    console.log((await publicFetch.post('http://${pair}/', {}, Buffer.from('{}'))).outcome)
    await publicFetch.close()`
  const address = `http://127.0.0.1:${proxy.port}`
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address, http_proxy: address }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  })
  assert.equal(stdout.trim(), 'delivered')
  assert.deepEqual([merchant.connects, proxy.connects], [1, 0])
})
