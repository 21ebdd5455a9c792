import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../server/test/until.ts'
import { startBalancer } from './balancer.ts'

const servers: Server[] = []
const balancer = await startBalancer()
after(async () => {
  await balancer.close()
  for (const server of servers) server.close()
})

async function startTarget(
  name: string,
): Promise<{ url: string; state: { ready: boolean; received: string[] }; stop(): void }> {
  const state = { ready: true, received: [] as string[] }
  const server = createServer((req, res) => {
    if (req.url === '/readyz') return void res.writeHead(state.ready ? 200 : 503).end()
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      state.received.push(body)
      if (body === 'break') return void req.socket.destroy()
      res.end(name)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, state, stop: () => void server.close() }
}

const send = async (body: string) => {
  const response = await fetch(balancer.url, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

test('requests go to the ready processes in turn, and an interrupted request is not repeated', async () => {
  assert.equal((await send('none')).status, 503)
  const [a, b] = [await startTarget('a'), await startTarget('b')]
  balancer.add(a.url)
  balancer.add(b.url)
  const texts = [(await send('1')).text, (await send('2')).text]
  assert.deepEqual(texts.toSorted(), ['a', 'b'])

  // An interrupted request may have been processed.
  assert.equal((await send('break')).status, 502)
  assert.equal([...a.state.received, ...b.state.received].filter((body) => body === 'break').length, 1)

  a.state.ready = false
  await until(async () => {
    const seen = [await send('3'), await send('3')]
    return seen.every(({ text }) => text === 'b')
  }, 'a gets no more requests')
  a.state.ready = true
  await until(async () => (await send('4')).text === 'a', 'a gets requests again')

  // A process that refuses connections is skipped.
  a.stop()
  assert.deepEqual([(await send('5')).text, (await send('6')).text], ['b', 'b'])
})
