// A process that was paused for longer than a request may take (SIGSTOP, a suspended machine, a blocked event loop).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { createPublicFetch } from './public-fetch.ts'

/** A merchant on its own thread, which continues while the main thread is blocked. */
const MERCHANT = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  createServer((request, response) => {
    parentPort.postMessage('request')
    const timer = setInterval(() => {
      if (Atomics.load(workerData, 0) === 0) return
      clearInterval(timer)
      response.end('ok')
    }, 5)
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`

const TIMEOUT_MS = 400

test('a response that arrived during a pause counts as delivered, not as a timeout', async (t) => {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const merchant = new Worker(MERCHANT, { eval: true, workerData: shared })
  t.after(() => merchant.terminate())
  const [port] = (await once(merchant, 'message')) as [number]
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([`127.0.0.1:${port}`]),
    limits: { totalTimeoutMs: TIMEOUT_MS },
  })
  t.after(() => publicFetch.close())
  const posted = publicFetch.post(`http://127.0.0.1:${port}/cb`, {}, Buffer.from('{}'))
  await once(merchant, 'message')
  Atomics.store(shared, 0, 1)
  // Blocks this thread like a pause: nothing notifies the second cell.
  Atomics.wait(shared, 1, 0, TIMEOUT_MS * 2)
  assert.equal((await posted).outcome, 'delivered')
})
