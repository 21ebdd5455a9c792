// Bytes that are no HTTP request never become one: no route, no hook, no request id. The connection gets one answer in
// the same shape as every other refusal, and is closed.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@pazar/contract'
import { ServiceError } from '../lib/service-error.ts'
import { toProblem } from './problem-reply.ts'

/** Node's names for what it could not read. Anything else is a request that makes no sense. */
const CODES: Partial<Record<string, { code: ErrorCode; status: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'payload_too_large', status: '413 Payload Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'invalid_request', status: '400 Bad Request' },
}
const SENSELESS: { code: ErrorCode; status: string } = { code: 'invalid_request', status: '400 Bad Request' }

export function createClientErrorHandler(baseUrl: string, headers: Readonly<Record<string, string>>) {
  return (error: { code?: string }, socket: Socket): void => {
    // A client that reset the connection reads nothing. And browsers open connections ahead of need: a response written
    // to one that has sent no request would be taken for the response to its first one.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const { code, status } = CODES[error.code ?? ''] ?? SENSELESS
    const requestId = randomBytes(8).toString('hex')
    const body = JSON.stringify(toProblem(new ServiceError(code), { baseUrl, requestId, locale: 'en' }))
    const lines = {
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
    socket.write(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
    // Ending it alone would leave it half open for as long as the other side likes.
    socket.destroySoon()
  }
}
