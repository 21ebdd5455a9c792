import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { until } from '../../test/until.ts'
import { sendParts } from './send-parts.ts'

const PART = 'x'.repeat(1024 * 1024)
const made = { parts: 0, isEnded: false }

async function* makeParts(count: number) {
  try {
    for (made.parts = 0; made.parts < count; made.parts += 1) yield PART
  } finally {
    made.isEnded = true
  }
}

const app = Fastify()
app.get('/long', (_req, reply) => sendParts(reply, makeParts(10_000), 500))
app.get('/short', (_req, reply) => sendParts(reply, makeParts(2), 500))
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

function get(path: string, agent: http.Agent | false): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    http.get(`${base}${path}`, { agent }, resolve).on('error', reject)
  })
}

test('a client that stops reading is disconnected, and only a few parts are made for the client', async () => {
  const response = await get('/long', false)
  response.on('error', () => undefined).once('data', () => response.pause())
  await until(() => made.isEnded)
  assert.ok(made.parts < 100, `${made.parts} parts`)
  response.destroy()
})

test('a client that pauses for less than the timeout gets the whole response, and the connection stays usable', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (let times = 0; times < 2; times += 1) {
    let bytes = 0
    for await (const chunk of await get('/short', agent)) {
      if (bytes === 0) await sleep(200)
      bytes += (chunk as Buffer).length
    }
    assert.equal(bytes, 2 * PART.length)
    await sleep(700)
  }
  agent.destroy()
})
