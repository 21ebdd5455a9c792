import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DnsFailure, createStubResolver } from '../../test/stub-resolver.ts'
import { startStubNameServer } from '../../test/stub-name-server.ts'
import {
  createMachineResolver,
  createResolver,
  isNoServerReachable,
  isRecordMissing,
  isServerFailure,
  lookupOnMachine,
} from './resolver.ts'

test('A and AAAA records come from the name server, not from the hosts file', async (t) => {
  const { server, queries } = await startStubNameServer(t, {
    'shop.example.com': { a: ['93.184.215.14', '10.0.0.5'], aaaa: ['2606:4700:4700:0:0:0:0:1111'] },
    localhost: { a: ['93.184.215.15'] },
  })
  const resolver = createResolver([server])
  assert.deepEqual(await resolver.resolve4('shop.example.com'), ['93.184.215.14', '10.0.0.5'])
  assert.deepEqual(await resolver.resolve6('shop.example.com'), ['2606:4700:4700::1111'])
  assert.deepEqual(await resolver.resolve4('localhost'), ['93.184.215.15'])
  assert.deepEqual([...new Set(queries)], ['shop.example.com', 'localhost'])
})

test('isRecordMissing is true for a missing name or record, and false if the name server failed', async (t) => {
  const { server } = await startStubNameServer(t, {
    'v4.example.com': { a: ['93.184.215.14'] },
    'broken.example.com': { fails: true },
  })
  const resolver = createResolver([server])
  await assert.rejects(resolver.resolve6('v4.example.com'), isRecordMissing)
  await assert.rejects(resolver.resolve4('none.example.com'), isRecordMissing)
  await assert.rejects(resolver.resolve4('broken.example.com'), (error) => !isRecordMissing(error))
  await assert.rejects(resolver.resolve4('broken.example.com'), isServerFailure)
  await assert.rejects(resolver.resolve4('none.example.com'), (error) => !isServerFailure(error))
})

test('isNoServerReachable is false if a name server responded', async (t) => {
  const { server } = await startStubNameServer(t, { 'broken.example.com': { fails: true } })
  const isReachable = (error: unknown) => !isNoServerReachable(error)
  await assert.rejects(createResolver([server]).resolve4('broken.example.com'), isReachable)
  // Nothing listens on port 1.
  await assert.rejects(createResolver(['127.0.0.1:1']).resolve4('shop.example.com'), isNoServerReachable)
})

/**
 * The resolver opens the entries of `servers` one after another. A list is the addresses that lookups find. A string is the
 * error code with which lookups fail.
 */
function openInTurn(servers: readonly (string | readonly string[])[]) {
  const time = { ms: 0 }
  let opened = 0
  const open = () => {
    const server = servers[opened++] ?? assert.fail('opened too often')
    if (typeof server !== 'string') return createStubResolver({ 'shop.example.com': server })
    const fails = () => Promise.reject(new DnsFailure(server))
    return { resolve4: fails, resolve6: fails }
  }
  const resolver = createMachineResolver(open, () => time.ms)
  return { resolver, time, countOpened: () => opened }
}

test('after a failed lookup, the next lookup uses the name servers that the machine has then', async () => {
  for (const code of ['ECONNREFUSED', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED']) {
    const { resolver, time } = openInTurn([code, ['93.184.215.14']])
    time.ms = 60_000
    const before = resolver.current()
    await assert.rejects(resolver.resolve4('shop.example.com'), { code })
    assert.deepEqual(await resolver.resolve4('shop.example.com'), ['93.184.215.14'])
    // `before` keeps its name servers, because it was read before the lookup failed.
    await assert.rejects(before.resolve6('shop.example.com'), { code })
    assert.deepEqual(await resolver.current().resolve4('shop.example.com'), ['93.184.215.14'])
  }
})

test('failed lookups cause the name servers to be read again at most every five seconds; a missing record does not', async () => {
  const { resolver, time, countOpened } = openInTurn(['ETIMEOUT', 'ETIMEOUT', ['93.184.215.14']])
  const lookUp = () => resolver.resolve4('shop.example.com').catch(() => [])
  for (const [ms, count] of [
    ...[0, 4_999].map((soon) => [soon, 1] as const),
    ...[5_000, 9_999].map((soon) => [soon, 2] as const),
    [10_000, 3] as const,
  ]) {
    time.ms = ms
    await lookUp()
    assert.equal(countOpened(), count, `${ms} ms`)
  }
  time.ms = 60_000
  await assert.rejects(resolver.resolve6('shop.example.com'), isRecordMissing)
  await assert.rejects(resolver.resolve4('none.example.com'), isRecordMissing)
  assert.deepEqual(await lookUp(), ['93.184.215.14'])
})

test('lookupOnMachine finds localhost, as the hosts file of the machine defines it', async () => {
  const found = await lookupOnMachine('localhost')
  assert.ok(found.every((address) => address === '127.0.0.1' || address === '::1'))
  assert.ok(found.length > 0)
})
