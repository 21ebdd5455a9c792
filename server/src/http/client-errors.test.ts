import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { createClientErrorHandler } from './client-errors.ts'

const handleClientError = createClientErrorHandler('http://localhost:3000', {})
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

/** What a client receives that has sent these bytes when the request times out. */
async function readResponse(sent: string): Promise<string> {
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
  handleClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
  await closed
  return got
}

test('a connection on which no request was sent is closed without a response', async () => {
  assert.equal(await readResponse(''), '')
})

test('a request that is not complete in time gets a 400', async () => {
  assert.match(await readResponse('GET / HTTP/1.1\r\nho'), /^HTTP\/1\.1 400 Bad Request\r\n/)
})
