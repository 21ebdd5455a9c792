import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import { refuseForeignRead } from './cross-site-guard.ts'
import { setPagePolicy, toPolicySource } from './security-headers.ts'
import type { PagePolicy } from './security-headers.ts'

const ORIGIN = 'http://localhost:3000'

const { app } = await startBareServer({}, (bare) => {
  bare.get('/policy', async (req, reply) => {
    setPagePolicy(reply, JSON.parse((req.query as { p: string }).p) as PagePolicy)
    return {}
  })
  bare.get('/stream', async (req) => {
    refuseForeignRead(req, ORIGIN)
    return {}
  })
})

async function policyOf(policy: PagePolicy): Promise<string> {
  const p = encodeURIComponent(JSON.stringify(policy))
  return String((await app.inject(`/policy?p=${p}`)).headers['content-security-policy'])
}

test('a page may load images of this service and data: images; its styles and script run only if the policy has their hashes', async () => {
  const base =
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:; form-action"
  assert.equal(await policyOf({}), `${base} 'none'`)
  assert.equal(
    await policyOf({ styleHashes: ['sha256-a'], scriptHash: 'sha256-b', formAction: "'self'" }),
    `${base} 'self'; style-src 'sha256-a'; script-src 'sha256-b'; connect-src 'self'`,
  )
})

test('a policy source is an http or https origin; an origin with a character that could end the directive is refused', () => {
  for (const [url, source] of [
    ['https://shop.me/a?b#c', 'https://shop.me'],
    ['http://127.0.0.1:4000/x', 'http://127.0.0.1:4000'],
    ['http://[::1]:4000/', 'http://[::1]:4000'],
    ['https://shop.me;script-src *', null],
    ['https://a;b.me/', null],
    ['https://a,b.me/', null],
    ["https://a'b.me/", null],
    ['ftp://shop.me/', null],
    ['no url', null],
  ] as const)
    assert.equal(toPolicySource(url), source, url)
})

test('API clients and the scripts of our own pages can open a stream; other sites, navigation and images cannot', async () => {
  const open = async (site?: string, mode?: string, dest?: string) => {
    const fetchHeaders = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }
    const headers = Object.entries(fetchHeaders).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return (
      await app.inject({ url: '/stream', headers: Object.fromEntries(headers) as Record<string, string> })
    ).statusCode
  }
  for (const ownRequest of [
    [],
    ['same-origin', 'cors', 'empty'],
    ['same-origin', 'same-origin', 'empty'],
    ['same-origin', 'cors'],
  ])
    assert.equal(await open(...ownRequest), 200, ownRequest.join())
  for (const foreignRequest of [
    ['same-origin', 'navigate', 'document'],
    ['none', 'navigate', 'document'],
    ['same-origin', 'navigate', 'iframe'],
    ['same-origin', 'no-cors', 'image'],
    ['same-origin', 'cors', 'iframe'],
    ['same-origin', 'no-cors', 'empty'],
    ['cross-site', 'cors', 'empty'],
    ['same-site', 'cors', 'empty'],
  ])
    assert.equal(await open(...foreignRequest), 403, foreignRequest.join())
})
