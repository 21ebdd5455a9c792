import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOW_FOR_MS, SLOW_MS } from './lanes.ts'
import { createSlowHosts } from './slow-hosts.ts'

let nowMs = 0
const createHosts = () => createSlowHosts(() => nowMs)

test('a host that responds in time is not slow', () => {
  const hosts = createHosts()
  const stopTiming = hosts.watch({ mode: 'live', host: 'quick.example.com' })
  nowMs += SLOW_MS - 1
  stopTiming()
  assert.deepEqual(hosts.list(), [])
})

test('a host is slow while a request takes too long, and for a minute afterwards', () => {
  const hosts = createHosts()
  const stopTiming = hosts.watch({ mode: 'live', host: 'slow.example.com' })
  nowMs += SLOW_MS
  assert.deepEqual(hosts.list(), ['slow.example.com'])
  nowMs += 2 * SLOW_FOR_MS
  stopTiming()
  nowMs += SLOW_FOR_MS
  assert.deepEqual(hosts.list(), ['slow.example.com'])
  nowMs += 1
  assert.deepEqual(hosts.list(), [])
})

test('a host does not count as slow because of a slow request in test mode', () => {
  const hosts = createHosts()
  const stopTiming = hosts.watch({ mode: 'test', host: 'slow.example.com' })
  nowMs += SLOW_MS
  assert.deepEqual(hosts.list(), [])
  stopTiming()
  assert.deepEqual(hosts.list(), [])
})
