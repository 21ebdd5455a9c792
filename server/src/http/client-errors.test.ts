import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { createClientErrorHandler } from './client-errors.ts'

const answer = createClientErrorHandler('http://localhost:3000', {})
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

/** What a client gets that sent these bytes, when its time is up. */
async function readAnswer(sent: string): Promise<string> {
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = await accepted
  if (sent !== '') {
    client.write(sent)
    await once(socket, 'data')
  }
  let got = ''
  client.on('data', (chunk: Buffer) => {
    got += chunk.toString()
  })
  const closed = once(client, 'close')
  answer({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  await closed
  return got
}

test('a connection that a browser opened ahead of need is closed without a word', async () => {
  assert.equal(await readAnswer(''), '')
})

test('a request that does not end in time gets a response that says so', async () => {
  assert.match(await readAnswer('GET / HTTP/1.1\r\nho'), /^HTTP\/1\.1 400 Bad Request\r\n/)
})
