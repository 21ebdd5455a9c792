// A plugin for Fastify 4 and 5. Routes outside the plugin still get parsed bodies.
import { isBytes, receive, requireOnEvent, TEXT_TYPE } from './receive.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import type { HeaderRecord } from './merchant.ts'

export type { CallbackContext } from './receive.ts'

export interface FastifyCallbackOptions extends CallbackHandlerOptions {
  /** The path of the callback's route, such as /pazar/callback. */
  readonly url: string
}

export interface FastifyApp {
  removeAllContentTypeParsers(): void
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: BytesParser): unknown
  post(url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}
type BytesParser = (
  request: unknown,
  bytes: Uint8Array,
  done: (error: null, body: Uint8Array) => void,
) => void
interface FastifyRequest {
  readonly headers: HeaderRecord
  readonly body: unknown
}
interface FastifyReply {
  code(status: number): FastifyReply
  headers(headers: Record<string, string>): FastifyReply
  send(text: string): unknown
}

/** `await app.register(callbackPlugin, { url: '/pazar/callback', secret, projectId, expectedAmount, onCallback })` */
export async function callbackPlugin(app: FastifyApp, options: FastifyCallbackOptions): Promise<void> {
  requireOnEvent(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  app.post(options.url, async (request, reply) => {
    // A request without a body has no valid signature.
    const bytes = isBytes(request.body) ? request.body : ''
    const { status, text } = await receive(bytes, request.headers, options)
    return reply.code(status).headers(TEXT_TYPE).send(text)
  })
}
