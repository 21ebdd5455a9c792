// Where upstreams report, the live one and those kept for older payments. The body stays the bytes that were signed: parsing and writing anew would
// change them.
import type { Http } from '../../http/server.ts'
import type { PaymentDeps } from '../deps.ts'
import { receiveWebhook } from './receive.ts'
import { createRefusalCount } from './refusals.ts'

export async function registerUpstreamRoutes(root: Http, deps: PaymentDeps): Promise<void> {
  const refusals = createRefusalCount()
  // A scope of its own, so that no other route gets bytes instead of checked JSON.
  await root.register(async (app: Http) => {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_req, body, done) =>
      done(null, body),
    )

    for (const backend of [deps.backends.live, ...deps.backends.kept]) {
      const { name, readWebhook } = backend
      if (!readWebhook) continue
      app.post(
        `/upstream/${name}/webhook`,
        { config: { hot: true }, schema: { hide: true } },
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
