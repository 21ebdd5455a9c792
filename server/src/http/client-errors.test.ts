import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { createClientErrorHandler } from './client-errors.ts'

const handleClientError = createClientErrorHandler('http://localhost:3000', { 'x-frame-options': 'DENY' })
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

async function readResponse(sent: string, code = 'ERR_HTTP_REQUEST_TIMEOUT'): Promise<string> {
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = await accepted
  if (sent !== '') {
    client.write(sent)
    await once(socket, 'data')
  }
  let received = ''
  client.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  const closed = once(client, 'close')
  handleClientError({ code }, socket)
  await closed
  return received
}

test('a connection on which no request was sent is closed without a response', async () => {
  assert.equal(await readResponse(''), '')
})

test('a request that is not complete in time gets a 400', async () => {
  assert.match(await readResponse('GET / HTTP/1.1\r\nho'), /^HTTP\/1\.1 400 Bad Request\r\n/)
})

test('bytes that are not HTTP get an error response with the usual headers, and the connection is closed', async () => {
  const [head = '', body = ''] = (await readResponse('hello\r\n', 'HPE_INVALID_METHOD')).split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 400 /)
  assert.match(head, /^connection: close$/m)
  assert.match(head, /^x-frame-options: DENY\r$/m)
  assert.match(head, new RegExp(`^content-length: ${Buffer.byteLength(body)}\r$`, 'm'))
  const problem = JSON.parse(body) as { code: string; requestId: string }
  assert.equal(problem.code, 'invalid_request')
  assert.ok(head.includes(`x-request-id: ${problem.requestId}`))
})

test('headers above the limit get a 413; a connection that was reset gets no response', async () => {
  assert.match(await readResponse('GET / HTTP/1.1\r\n', 'HPE_HEADER_OVERFLOW'), /^HTTP\/1\.1 413 /)
  assert.equal(await readResponse('GET / HTTP/1.1\r\n', 'ECONNRESET'), '')
})
