import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DnsFailure, createStubResolver } from '../../test/stub-resolver.ts'
import { PRIVATE_NAMES } from '../../test/url-corpus.ts'
import type { Resolver } from '../lib/resolver.ts'
import { resolvesToPrivate } from './resolve-check.ts'
import { parseCallbackUrl } from '../egress/url-rules.ts'

const PUBLIC = { 'shop.me': ['93.184.215.14'], 'six.shop.me': ['2606:4700:4700::1111', '1.1.1.1'] }
const stub = createStubResolver({ ...PRIVATE_NAMES, ...PUBLIC })
const PATIENT_MS = 60_000

const neverResolves = () => new Promise<string[]>(() => {})
const fails = (code: string) => () => Promise.reject(new DnsFailure(code))

test('a host name with at least one private address is refused, although its URL is valid', async () => {
  for (const host of Object.keys(PRIVATE_NAMES)) {
    assert.equal(parseCallbackUrl(`https://${host}/`, new Set()).problem, null, host)
    assert.equal(await resolvesToPrivate(host, stub, PATIENT_MS), true, host)
  }
})

test('a name with only public addresses is accepted', async () => {
  for (const host of Object.keys(PUBLIC))
    assert.equal(await resolvesToPrivate(host, stub, PATIENT_MS), false, host)
})

test('a name that does not exist, or whose lookups fail, is accepted', async () => {
  assert.equal(await resolvesToPrivate('unknown.shop.me', stub, PATIENT_MS), false)
  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED']) {
    const resolver: Resolver = { resolve4: fails(code), resolve6: fails(code) }
    assert.equal(await resolvesToPrivate('shop.me', resolver, PATIENT_MS), false, code)
  }
})

test('if name servers do not respond before the timeout, the name is accepted', async () => {
  assert.equal(
    await resolvesToPrivate('shop.me', { resolve4: neverResolves, resolve6: neverResolves }, 5),
    false,
  )
})

test('one private address is enough for a refusal, even if the other lookup fails or hangs', async () => {
  const inner = async () => ['10.0.0.5']
  assert.equal(
    await resolvesToPrivate('shop.me', { resolve4: inner, resolve6: neverResolves }, PATIENT_MS),
    true,
  )
  assert.equal(
    await resolvesToPrivate('shop.me', { resolve4: fails('ESERVFAIL'), resolve6: inner }, PATIENT_MS),
    true,
  )
})

test('an IP address is checked without DNS', async () => {
  const emptyResolver = createStubResolver({})
  assert.equal(await resolvesToPrivate('127.0.0.1', emptyResolver, PATIENT_MS), true)
  assert.equal(await resolvesToPrivate('2606:4700:4700::1111', emptyResolver, PATIENT_MS), false)
  assert.deepEqual(emptyResolver.lookedUp, [])
})
