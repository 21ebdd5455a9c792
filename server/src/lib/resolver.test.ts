import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStubNameServer } from '../../test/stub-name-server.ts'
import {
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

test('lookupOnMachine finds localhost, as the hosts file of the machine defines it', async () => {
  const found = await lookupOnMachine('localhost')
  assert.ok(found.every((address) => address === '127.0.0.1' || address === '::1'))
  assert.ok(found.length > 0)
})
