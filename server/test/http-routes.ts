// Routes for tests of the HTTP server.
import { z } from 'zod'
import { ServiceError } from '../src/lib/service-error.ts'
import { addressOf } from '../src/http/client-address.ts'
import { sendHtml } from '../src/http/html-reply.ts'
import { localeOf, rememberLocale } from '../src/http/request-locale.ts'
import type { Http, HttpTools } from '../src/http/server.ts'
import { acceptForms, queryOf } from '../src/http/server.ts'

export function registerTestRoutes(app: Http, tools: HttpTools): void {
  const hide = { schema: { hide: true } } as const
  acceptForms(app)
  app.get('/address', async (req) => ({ address: addressOf(req) }))
  app.get('/query', async (req) => ({ a: queryOf(req).all('a'), names: queryOf(req).names() }))
  app.get('/things/:id', async () => ({}))
  app.post('/body', async (req) => ({ body: req.body }))
  app.post('/guarded', { ...hide, config: { crossSiteCheck: 'always' } }, async () => ({}))
  app.get('/page', async (req, reply) => {
    sendHtml(req, reply, 'x'.repeat(2000), 'secret' in (req.query as object))
    return reply
  })
  app.get('/locale', async (req, reply) => {
    if (req.headers['x-account'] === 'cnr') req.accountLocale = 'cnr'
    rememberLocale(req, reply, true)
    return { locale: localeOf(req) }
  })
  app.get('/cookie', async (req, reply) => {
    tools.cookies.write(reply, 'session', 'v', 60)
    tools.cookies.clear(reply, 'step-up')
    return { session: tools.cookies.read(req, 'session') }
  })
  for (const path of ['/fail', '/pay/fail'])
    app.get(path, { config: { logsErrorsOnly: true } }, async (req) => {
      const { code } = req.query as { code?: string }
      if (code === 'busy') throw new ServiceError('unavailable', { retryAfterSec: 120 })
      if (code === 'known')
        throw new ServiceError('unavailable', { log: 'database: 57P01', cause: new Error('terminated') })
      if (code === 'refused') throw new ServiceError('invalid_signature', { log: 'why it was refused' })
      const error = new Error('a detail that nobody may see')
      // If the client aborts a request, Node stores the error in `errored`. With the code `broken-off`, the route throws
      // this error. With the code `both-broken`, the route throws another error.
      if (code === 'broken-off') Object.defineProperty(req.raw, 'errored', { value: error })
      if (code === 'both-broken') Object.defineProperty(req.raw, 'errored', { value: new Error('theirs') })
      throw error
    })
  app.post(
    '/fields',
    {
      schema: {
        body: z.strictObject({
          name: z.string().min(1).optional(),
          long: z.string().min(5).max(8).optional(),
          count: z.int().min(1).max(9).optional(),
          kind: z.enum(['a', 'b']).optional(),
        }),
      },
    },
    async () => ({}),
  )
  app.get('/limited', { onRequest: tools.limits('PAY_GET') }, async () => ({}))
  app.get('/rarely', { onRequest: tools.limits('SIGN_UP') }, async () => ({}))
}
