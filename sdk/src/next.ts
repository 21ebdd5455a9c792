// For route handlers of Next's app router, and for any other function that takes a Request and returns a Response.
import { requireOnEvent, toParsedTooEarlyError } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import { respondTo, readRequest } from './request.ts'

export type { CallbackContext, CallbackHandlerOptions } from './receive.ts'

/** `export const POST = callbackHandler({ secret, projectId, expectedAmount, onCallback })` */
export function callbackHandler(options: CallbackHandlerOptions): (request: Request) => Promise<Response> {
  requireOnEvent(options)
  return async (request) => {
    if (request.bodyUsed)
      throw toParsedTooEarlyError('Do not call request.json() or request.text() before this handler.')
    return respondTo(request, await readRequest(request), options)
  }
}
