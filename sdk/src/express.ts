// For Express 4 and 5. The route reads the bytes itself, so it stands before express.json(); or express.json() keeps them.
import { isBytes, readBytes, receive, TEXT_TYPE, toParsedTooEarly } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import type { HeaderRecord } from './merchant.ts'

export type { CallbackHandlerOptions } from './receive.ts'

/** As much of Express's request as is needed here; its own type fits. */
export interface ExpressRequest extends AsyncIterable<Uint8Array> {
  readonly headers: HeaderRecord
  readonly readableDidRead?: boolean
  readonly body?: unknown
  readonly rawBody?: unknown
}

export interface ExpressResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(text: string): unknown
}

export type ExpressHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** `app.post('/pazar/callback', callbackHandler({ secret, projectId, expectedAmount, onCallback }))` */
export function callbackHandler(options: CallbackHandlerOptions): ExpressHandler {
  return async (request, response, next) => {
    try {
      const { status, text } = await receive(await readRaw(request), request.headers, options)
      response.writeHead(status, TEXT_TYPE)
      response.end(text)
    } catch (error) {
      next(error) // Express 4 does not look at what a handler's promise comes to.
    }
  }
}

/** For shops whose express.json() stands before everything: `express.json({ verify: keepRawBody })`. */
export function keepRawBody(request: object, _response: unknown, bytes: Uint8Array): void {
  Object.assign(request, { rawBody: bytes })
}

// express.raw() and express.text() leave the bytes in body, and some hosts leave them in rawBody.
async function readRaw(request: ExpressRequest): Promise<string | Uint8Array | null> {
  for (const kept of [request.rawBody, request.body]) {
    if (typeof kept === 'string' || isBytes(kept)) return kept
  }
  if (request.readableDidRead) {
    throw toParsedTooEarly(
      'Register the route before express.json(), or use express.json({ verify: keepRawBody }).',
    )
  }
  return readBytes(request)
}
