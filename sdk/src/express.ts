// For Express 4 and 5. Register the route before express.json(), or let express.json() keep the raw bytes.
import { isBytes, readBytes, receive, requireOnEvent, TEXT_TYPE, toParsedTooEarlyError } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import type { HeaderRecord } from './merchant.ts'

export type { CallbackContext, CallbackHandlerOptions } from './receive.ts'

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
  requireOnEvent(options)
  return async (request, response, next) => {
    try {
      const { status, text } = await receive(await readRaw(request), request.headers, options)
      response.writeHead(status, TEXT_TYPE)
      response.end(text)
    } catch (error) {
      next(error) // Express 4 does not catch the error of a rejected promise.
    }
  }
}

/** If express.json() comes first: `express.json({ verify: keepRawBody })`. */
export function keepRawBody(request: object, _response: unknown, bytes: Uint8Array): void {
  Object.assign(request, { rawBody: bytes })
}

// express.raw() and express.text() set body. keepRawBody and some hosts set rawBody.
async function readRaw(request: ExpressRequest): Promise<string | Uint8Array | null> {
  for (const storedBody of [request.rawBody, request.body]) {
    if (typeof storedBody === 'string' || isBytes(storedBody)) return storedBody
  }
  if (request.readableDidRead) {
    throw toParsedTooEarlyError(
      'Register the route before express.json(), or use express.json({ verify: keepRawBody }).',
    )
  }
  return readBytes(request)
}
