// For Hono, on any runtime with node:crypto. Earlier middleware may read the body with the methods of c.req, but not
// from c.req.raw.
import { requireOnEvent, toParsedTooEarlyError } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import { respondTo, readRequest } from './request.ts'

export type { CallbackContext, CallbackHandlerOptions } from './receive.ts'

export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
}

/** `app.post('/pazar/callback', callbackHandler({ secret, projectId, expectedAmount, onCallback }))` */
export function callbackHandler(options: CallbackHandlerOptions): (c: HonoContext) => Promise<Response> {
  requireOnEvent(options)
  return async ({ req }) => {
    const bytes = req.raw.bodyUsed ? await readCachedBody(req) : await readRequest(req.raw)
    return respondTo(req.raw, bytes, options)
  }
}

async function readCachedBody(req: HonoContext['req']): Promise<Uint8Array> {
  try {
    return new Uint8Array(await req.arrayBuffer())
  } catch (cause) {
    throw toParsedTooEarlyError(
      'Let middleware read the body with c.req.text(), never from c.req.raw.',
      cause,
    )
  }
}
