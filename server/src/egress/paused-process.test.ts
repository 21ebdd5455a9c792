// Tests what happens if the process is paused during a request (SIGSTOP, a suspended machine, a blocked event loop).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createStubResolver } from '../../test/stub-resolver.ts'
import { createPublicFetch } from './public-fetch.ts'
import type { FetchLimits } from './public-fetch.ts'

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

/**
 * `shared` has two cells. The merchant responds when the first cell is 1. Waiting for the second cell blocks this thread until
 * the wait times out, like a pause, because nothing notifies that cell.
 */
async function start(t: TestContext, limits: Partial<FetchLimits>) {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const merchant = new Worker(MERCHANT, { eval: true, workerData: shared })
  t.after(() => merchant.terminate())
  const [port] = (await once(merchant, 'message')) as [number]
  let requests = 0
  merchant.on('message', () => (requests += 1))
  const publicFetch = createPublicFetch({
    resolver: createStubResolver({}),
    allowHosts: new Set([`127.0.0.1:${port}`]),
    limits,
  })
  t.after(() => publicFetch.close())
  const post = () => publicFetch.post(`http://127.0.0.1:${port}/cb`, {}, Buffer.from('{}'))
  return { merchant, shared, post, countRequests: () => requests }
}

test('a response that arrived during a pause counts as delivered, not as a timeout', async (t) => {
  const { merchant, shared, post } = await start(t, { totalTimeoutMs: TIMEOUT_MS })
  const posted = post()
  await once(merchant, 'message')
  Atomics.store(shared, 0, 1)
  Atomics.wait(shared, 1, 0, TIMEOUT_MS * 2)
  assert.equal((await posted).outcome, 'delivered')
})

for (const totalTimeoutMs of [TIMEOUT_MS, 10 * TIMEOUT_MS])
  test(`a request that was not sent before a pause is not sent after the pause, with a limit of ${totalTimeoutMs} ms`, async (t) => {
    const { shared, post, countRequests } = await start(t, { totalTimeoutMs, connectTimeoutMs: 100 })
    const posted = post()
    Atomics.wait(shared, 1, 0, 1_200)
    const { outcome, isEgressFault } = await posted
    assert.deepEqual([outcome, isEgressFault], ['timeout', true])
    // This time is long enough for a request to reach the other thread.
    await sleep(100)
    assert.equal(countRequests(), 0)
  })
