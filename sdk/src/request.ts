// For frameworks that use the fetch Request.
import { readBytes, receive, TEXT_TYPE } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'

export async function respondTo(
  request: Request,
  rawBody: Uint8Array | null,
  options: CallbackHandlerOptions,
): Promise<Response> {
  const { status, text } = await receive(rawBody, request.headers, options)
  return new Response(text, { status, headers: TEXT_TYPE })
}

export async function readRequest(request: Request): Promise<Uint8Array | null> {
  return request.body === null ? new Uint8Array() : readBytes(toChunks(request.body))
}

// In some runtimes, the body of a Request cannot be iterated.
async function* toChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
}
