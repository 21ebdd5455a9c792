// Webhooks of the current upstream and of earlier ones with open payments. The body stays the bytes that were signed.
import type { Http } from '../../http/server.ts'
import type { PaymentDeps } from '../deps.ts'
import { receiveWebhook } from './receive.ts'
import { createRefusalCount, noteRefusal } from './refusals.ts'

const UNREAD: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is too large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the content type is not valid',
}

export async function registerUpstreamRoutes(root: Http, deps: PaymentDeps): Promise<void> {
  const refusals = createRefusalCount()
  // A separate scope, so that no other route gets bytes instead of checked JSON.
  await root.register(async (app: Http) => {
    app.removeAllContentTypeParsers()
    // Any type: the signature decides, and a report refused for its content type would be lost.
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))

    for (const backend of [deps.backends.live, ...deps.backends.previous]) {
      const { name, readWebhook } = backend
      if (!readWebhook) continue
      app.post(
        `/upstream/${name}/webhook`,
        {
          config: { hot: true },
          schema: { hide: true },
          // Refused before the handler; such a webhook counts as refused too.
          onError: async (_req, _reply, error) => {
            const reason = UNREAD[error.code]
            if (reason) await noteRefusal(deps, refusals, { upstream: name, kind: 'webhook_refused', reason })
          },
        },
        async (req, reply) => {
          // A request without a body is given `{}` before it gets here, and nothing was signed then.
          const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
          await receiveWebhook(deps, refusals, backend, readWebhook({ rawBody, headers: req.headers }))
          return reply.send({ received: true })
        },
      )
    }
  })
}
