import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { TlsOptions } from 'node:tls'
import { makeCertificate } from '../../test/certificates.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import type { RawServer } from '../../test/raw-server.ts'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { createPublicFetch } from './public-fetch.ts'
import type { FetchOutcome } from './public-fetch.ts'

const HOST = 'shop.example.com'
const BODY = Buffer.from('{"amount":"1500"}')
const SHOP = makeCertificate({ names: [HOST] })

interface PostOptions {
  tls?: TlsOptions
  host?: string
  privateCa?: string
  connectTimeoutMs?: number
}

/** Posts over https to a stub on the loopback, which CALLBACK_ALLOW_HOSTS allows. Certificates are still verified. */
async function post(
  t: TestContext,
  options: PostOptions,
): Promise<{ server: RawServer; outcome: FetchOutcome }> {
  const server = await startRawServer(t, plainResponse('200 OK'), options.tls)
  const pair = `${options.host ?? HOST}:${server.port}`
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([pair]),
    lookupForTests: async () => ['127.0.0.1'],
    limits: { connectTimeoutMs: options.connectTimeoutMs ?? 5000 },
    ...(options.privateCa === undefined ? {} : { privateCa: options.privateCa }),
  })
  t.after(() => publicFetch.close())
  return { server, outcome: await publicFetch.post(`https://${pair}/cb`, {}, BODY) }
}

async function assertRefused(t: TestContext, options: PostOptions, text: RegExp): Promise<void> {
  const { server, outcome } = await post(t, options)
  assert.equal(outcome.outcome, 'tls')
  assert.equal(outcome.statusCode, null)
  assert.match(outcome.error ?? '', text)
  assert.ok((outcome.error ?? '').length <= 500)
  // OpenSSL's errors also name a place in its source code. The merchant does not need that place.
  assert.doesNotMatch(outcome.error ?? '', /openssl|\.c:|error:[0-9A-F]{8}/i)
  await server.untilAllClosed()
  assert.deepEqual(server.requests, [])
}

test('a callback to a server with a trusted certificate for its name is delivered, and the name is sent as SNI', async (t) => {
  const names: string[] = []
  const tls: TlsOptions = {
    ...SHOP,
    ALPNProtocols: ['h2', 'http/1.1'],
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  }
  const { outcome, server } = await post(t, { tls, privateCa: SHOP.cert })
  assert.equal(outcome.error, null)
  assert.equal(outcome.outcome, 'delivered')
  assert.deepEqual(names, [HOST])
  assert.match(server.requests[0] ?? '', /^POST \/cb HTTP\/1\.1\r\n/)
})

test('a self-signed certificate is refused', async (t) => {
  await assertRefused(t, { tls: SHOP }, /SELF_SIGNED/)
})

test('a certificate for another name is refused', async (t) => {
  const other = makeCertificate({ names: ['evil.example.com', '*.shop.example.com'] })
  await assertRefused(t, { tls: other, privateCa: other.cert }, /ERR_TLS_CERT_ALTNAME_INVALID/)
})

test('a long list of names on a certificate is cut in the log', async (t) => {
  const withManyNames = makeCertificate({
    names: Array.from({ length: 100 }, (_, i) => `name-${i}.example.com`),
  })
  await assertRefused(
    t,
    { tls: withManyNames, privateCa: withManyNames.cert },
    /ERR_TLS_CERT_ALTNAME_INVALID/,
  )
})

test('an expired certificate is refused', async (t) => {
  const expired = makeCertificate({ names: [HOST], notAfter: '210101000000Z' })
  await assertRefused(t, { tls: expired, privateCa: expired.cert }, /CERT_HAS_EXPIRED/)
})

test('a certificate that is not valid yet is refused', async (t) => {
  const notYetValid = makeCertificate({ names: [HOST], notBefore: '480101000000Z' })
  await assertRefused(t, { tls: notYetValid, privateCa: notYetValid.cert }, /CERT_NOT_YET_VALID/)
})

test('a server that speaks only TLS 1.0 or 1.1 is refused, without a downgrade', async (t) => {
  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    const tls: TlsOptions = {
      ...SHOP,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    }
    await assertRefused(t, { tls, privateCa: SHOP.cert }, /^TLS failed: \S+ .*(?:protocol|version)/)
  }
})

test('a server that speaks TLS 1.2 is accepted', async (t) => {
  const { outcome } = await post(t, { tls: { ...SHOP, maxVersion: 'TLSv1.2' }, privateCa: SHOP.cert })
  assert.equal(outcome.outcome, 'delivered')
})

test('a callback URL with an IP address instead of a name needs a certificate for that IP address', async (t) => {
  await assertRefused(
    t,
    { tls: SHOP, privateCa: SHOP.cert, host: '127.0.0.1' },
    /ERR_TLS_CERT_ALTNAME_INVALID/,
  )
  const forAddress = makeCertificate({ names: ['127.0.0.1'] })
  const { outcome } = await post(t, { tls: forAddress, privateCa: forAddress.cert, host: '127.0.0.1' })
  assert.equal(outcome.outcome, 'delivered')
})

test('if a server speaks plain HTTP on its https port, the outcome is "tls" with a readable text', async (t) => {
  const server = createServer((socket) =>
    socket
      .on('error', () => socket.destroy())
      .once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const publicFetch = createPublicFetch({ resolver: createStubResolver({}), allowHosts: new Set([pair]) })
  t.after(() => publicFetch.close())
  const { outcome, error } = await publicFetch.post(`https://${pair}/`, {}, BODY)
  assert.equal(outcome, 'tls')
  assert.match(error!, /^TLS failed: \S+ [a-z0-9 ]+$/)
})

test('if a server does not complete the TLS handshake in time, the outcome is "tls"', async (t) => {
  const server = await startRawServer(t, (socket) => socket.destroy())
  const pair = `127.0.0.1:${server.port}`
  const resolver = createStubResolver({})
  const publicFetch = createPublicFetch({
    resolver,
    allowHosts: new Set([pair]),
    limits: { connectTimeoutMs: 50 },
  })
  const outcome = await publicFetch.post(`https://${pair}/`, {}, BODY)
  assert.deepEqual([outcome.outcome, outcome.error], ['tls', 'TLS failed: not done in time'])
  await server.untilAllClosed()
})
