// For route handlers of Next's app router, and for any other function from Request to Response.
import { toParsedTooEarly } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import { answerRequest, readRequest } from './request.ts'

export type { CallbackHandlerOptions } from './receive.ts'

/** `export const POST = callbackHandler({ secret, projectId, expectedAmount, onCallback })` */
export function callbackHandler(options: CallbackHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.bodyUsed) throw toParsedTooEarly('Do not call request.json() or request.text() before.')
    return answerRequest(request, await readRequest(request), options)
  }
}
