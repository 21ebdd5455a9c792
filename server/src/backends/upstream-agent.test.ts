import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../../test/certificates.ts'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { systemClock } from '../lib/clock.ts'
import { createHttpBackend } from './http.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const PAID = JSON.stringify({ id: ID, status: 'succeeded', amount: '1500', currency: 'EUR' })

test('if a connection to an upstream that offers HTTP/2 is lost silently, at most one request fails', async (t) => {
  const certificate = makeCertificate({ names: ['localhost'] })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  t.after(() => setDefaultCACertificates(trusted))
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (_req, res) => res.end(PAID))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const proxy = await startTcpProxy(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => proxy.close())
  const backend = createHttpBackend({
    url: `https://localhost:${new URL(proxy.url).port}`,
    secret: UPSTREAM_SECRET,
    clock: systemClock,
    callTimeoutMs: 1_000,
  })
  assert.equal((await backend.find(ID))?.status, 'succeeded')
  proxy.replaceHost()
  const first = await Promise.allSettled([backend.find(ID), backend.find(ID), backend.find(ID)])
  const calls = [...first, ...(await Promise.allSettled([backend.find(ID)]))]
  assert.ok(calls.filter(({ status }) => status === 'rejected').length <= 1)
})
