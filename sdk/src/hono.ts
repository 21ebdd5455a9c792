// For Hono, on any runtime with node:crypto. What a middleware read through c.req before is still there.
import { toParsedTooEarly } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import { answerRequest, readRequest } from './request.ts'

export type { CallbackHandlerOptions } from './receive.ts'

/** As much of Hono's context as is needed here; its own type fits. */
export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
}

/** `app.post('/pazar/callback', callbackHandler({ secret, projectId, expectedAmount, onCallback }))` */
export function callbackHandler(options: CallbackHandlerOptions): (c: HonoContext) => Promise<Response> {
  return async ({ req }) => {
    const bytes = req.raw.bodyUsed ? await readKept(req) : await readRequest(req.raw)
    return answerRequest(req.raw, bytes, options)
  }
}

async function readKept(req: HonoContext['req']): Promise<Uint8Array> {
  try {
    return new Uint8Array(await req.arrayBuffer())
  } catch (cause) {
    throw toParsedTooEarly('Let middleware read it through c.req.text(), never from c.req.raw.', cause)
  }
}
