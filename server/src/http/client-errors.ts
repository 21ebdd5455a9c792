// Bytes that are not a valid HTTP request reach no route and no hook. A client that has sent something and can still
// read gets a response in the usual error format. The connection is closed.
import type { Socket } from 'node:net'
import type { ErrorCode } from '@pazar/contract'
import { newRequestId } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { toProblem } from './problem-reply.ts'

/** The keys are Node's error codes. All other errors get `INVALID_REQUEST`. */
const RESPONSE_BY_CODE: Partial<Record<string, { code: ErrorCode; status: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'payload_too_large', status: '413 Payload Too Large' },
}
const INVALID_REQUEST: { code: ErrorCode; status: string } = {
  code: 'invalid_request',
  status: '400 Bad Request',
}

export function createClientErrorHandler(baseUrl: string, headers: Readonly<Record<string, string>>) {
  return (error: { code?: string }, socket: Socket): void => {
    // A client that reset the connection cannot read a response. A browser that opened the connection in advance has
    // sent nothing yet, and would read this response as the response to its first request.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const { code, status } = RESPONSE_BY_CODE[error.code ?? ''] ?? INVALID_REQUEST
    const requestId = newRequestId()
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
    // With end() the connection would stay half open until the client closes it.
    socket.destroySoon()
  }
}
