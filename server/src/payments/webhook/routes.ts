// Webhooks of the current upstream and of the earlier upstreams that BACKENDS_KEPT names. The body is passed on as the bytes
// that were signed.
import type { Http } from '../../http/server.ts'
import type { PaymentDeps } from '../deps.ts'
import type { WebhookReceivers } from './receive.ts'
import { receiveWebhook } from './receive.ts'
import { createRefusalCount, reportRefusal } from './refusals.ts'

const REASONS_BODY_NOT_READ: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is too large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the content type is not valid',
}

export async function registerUpstreamRoutes(
  root: Http,
  deps: PaymentDeps,
  receivers: WebhookReceivers,
): Promise<void> {
  const refusals = createRefusalCount()
  // These routes have a scope of their own, so that other routes still get validated JSON and not bytes.
  await root.register(async (app: Http) => {
    app.removeAllContentTypeParsers()
    // Every valid content type is accepted, because the signature decides.
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))

    for (const backend of [deps.backends.live, ...deps.backends.previous]) {
      const { name, readWebhook } = backend
      if (!readWebhook) continue
      app.post(
        `/upstream/${name}/webhook`,
        {
          config: { logsErrorsOnly: true },
          schema: { hide: true },
          // A webhook whose body is refused before the handler runs also counts as refused.
          onError: async (_req, _reply, error) => {
            const reason = REASONS_BODY_NOT_READ[error.code]
            if (reason)
              await reportRefusal(deps, refusals, { upstream: name, kind: 'webhook_refused', reason })
          },
        },
        async (req, reply) => {
          // A request without a body arrives here as `{}`, which nobody signed.
          const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
          const result = readWebhook({ rawBody, headers: req.headers })
          await receiveWebhook(deps, refusals, backend, result, receivers)
          return reply.send({ received: true })
        },
      )
    }
  })
}
