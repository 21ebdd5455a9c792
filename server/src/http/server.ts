// The HTTP server of all routes: limits, timeouts, request ids, strict bodies, headers, errors.
import cookie from '@fastify/cookie'
import { JSON_BODY_BYTES_MAX } from '@pazar/contract'
import Fastify, { LogController } from 'fastify'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import { ServiceError } from '../lib/service-error.ts'
import { NO_SPANS } from '../lib/spans.ts'
import type { Spans } from '../lib/spans.ts'
import { runInTrace } from '../lib/trace.ts'
import { toTrustedHops } from './client-address.ts'
import { createClientErrorHandler } from './client-errors.ts'
import { limitConnections } from './connection-limit.ts'
import { createCookies } from './cookies.ts'
import type { Cookies } from './cookies.ts'
import { refuseCrossSite } from './cross-site-guard.ts'
import { parseJsonBody } from './json-body.ts'
import { handleUnknownRoutes } from './known-routes.ts'
import { registerOpenApi } from './openapi.ts'
import { createErrorHandler } from './problem-reply.ts'
import { parseQuery, Query } from './query.ts'
import { registerRateLimits } from './rate-limits.ts'
import type { Limits } from './rate-limits.ts'
import { findPathWithoutSlash } from './trailing-slash.ts'
import { addSecurityHeaders, toSecurityHeaders } from './security-headers.ts'
import { createRequestTraces } from './request-trace.ts'
import type { RequestTraces } from './request-trace.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `always`: a request from another site is refused, with or without a session. `after session`: the session guard
     * refuses such a request. Absent: such a request is refused if it has a session cookie.
     */
    crossSiteCheck?: 'always' | 'after session'
    /** The route itself decides what to do about a query that cannot be decoded. */
    checksQuery?: boolean
    /** For routes that are called often: a log line per request could cost more than the response. */
    logsErrorsOnly?: boolean
  }
}

export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

export interface HttpTools {
  cookies: Cookies
  limits: Limits
}

/** Headers are small. A client that sends them slowly probably only wants to occupy a connection. */
const HEADERS_TIMEOUT_MS = 10_000
/**
 * This time is for headers and body together. Even a slow mobile network transfers the largest body (a logo of 100 KiB)
 * in this time.
 */
const REQUEST_TIMEOUT_MS = 20_000
/** How often Node checks these timeouts. With its default, a slow client could continue for 30 s after a timeout. */
const CHECK_INTERVAL_MS = 5_000
/**
 * A connection on which no byte was sent or received for this long is closed. Otherwise a client that requests pages and
 * never reads them would occupy the connection forever. The slowest request, an exam, takes half of this time. If a
 * response is stuck, Node may wait twice as long.
 */
const SILENT_CONNECTION_MS = 120_000
/** Further connections are closed, so that the process does not run out of file descriptors or memory. */
const CONNECTIONS_MAX = 5_000
const HEADERS_MAX_BYTES = 16 * 1024

const strictQuery = new WeakMap<object, Query>()

export function queryOf(req: FastifyRequest): Query {
  return (typeof req.query === 'object' && req.query !== null && strictQuery.get(req.query)) || parseQuery('')
}

function toPlainObject(query: Query): Record<string, unknown> {
  const plain: Record<string, unknown> = Object.create(null)
  for (const name of query.names()) {
    const values = query.all(name)
    plain[name] = values.length === 1 ? values[0] : values
  }
  return plain
}

function parseQueryString(text: string): Record<string, unknown> {
  const query = parseQuery(text)
  const plain = toPlainObject(query)
  strictQuery.set(plain, query)
  return plain
}

function addBodyParsers(app: Http): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_req, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Only for the payer's pages. Elsewhere a posted form gets a 415, because another site can make a browser send a form. */
export function acceptForms(app: Http): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    const form = parseQuery(String(body))
    if (form.problem)
      done(new ServiceError('invalid_request', { fields: [{ path: '', code: form.problem }] }))
    else done(null, toPlainObject(form))
  })
}

export async function createHttpServer(
  config: Config,
  log: Logger,
  metrics: Metrics,
  spans: Spans = NO_SPANS,
): Promise<{ app: Http; tools: HttpTools }> {
  const logger: FastifyBaseLogger = log
  const traces = createRequestTraces(spans)
  const headers = toSecurityHeaders(config.https)
  const handleError = createErrorHandler(config)
  const app: Http = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: createClientErrorHandler(config.baseUrl, headers),
    // No hook runs for a URL that cannot be routed, so the headers are set here.
    frameworkErrors: (error, req, reply) => void handleError(error, req, reply.headers(headers)),
    genReqId: traces.toRequestId,
    childLoggerFactory: traces.toChildLogger,
    trustProxy: toTrustedHops(config.trustProxy),
    // Requests that arrive while the server closes are served. Fastify's own refusal would be JSON even for payers.
    return503OnClosing: false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 30_000,
    connectionTimeout: SILENT_CONNECTION_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    routerOptions: { querystringParser: parseQueryString, ignoreTrailingSlash: false, maxParamLength: 200 },
  }).withTypeProvider<ZodTypeProvider>()
  app.server.maxConnections = CONNECTIONS_MAX
  if (config.trustProxy === 0) limitConnections(app.server, log)
  app.addHook('preClose', (done) => {
    // From now on, connections are closed after their request. Otherwise the shutdown would wait for idle ones.
    app.server.keepAliveTimeout = 1
    done()
  })
  addTraceHooks(app, traces)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  handleUnknownRoutes(app)
  addSecurityHeaders(app, headers)
  await app.register(cookie)
  addBodyParsers(app)
  const cookies = createCookies(config.https)
  const limits = await registerRateLimits(app, config.rateLimits)
  await registerOpenApi(app, config)

  app.decorateRequest('accountLocale', null)
  addRequestHooks(app, config, log, cookies)
  app.addHook('onReady', (done) => {
    for (const { url, methods } of app.knownRoutes())
      for (const method of methods) metrics.startResponses(method, url)
    done()
  })
  app.addHook('onResponse', (req, reply, done) => {
    done()
    countAndLog(req, reply, log, metrics)
    traces.end(req, reply)
  })
  return { app, tools: { cookies, limits } }
}

function addTraceHooks(app: Http, traces: RequestTraces): void {
  app.addHook('onRequest', (req, _reply, done) => runInTrace(traces.of(req.raw), done))
  // The trace is set again, because the events that deliver the body belong to the connection and not to the request.
  app.addHook('preValidation', (req, _reply, done) => runInTrace(traces.of(req.raw), done))
}

function addRequestHooks(app: Http, config: Config, log: Logger, cookies: Cookies): void {
  let hasWarnedOfProxy = config.trustProxy > 0
  // The hooks use callbacks, because a promise per hook would cost more than the hooks themselves.
  app.addHook('onRequest', (req, reply, done) => {
    reply.header('x-request-id', req.id)
    if (!hasWarnedOfProxy && req.headers['x-forwarded-for'] !== undefined) {
      hasWarnedOfProxy = true
      log.warn(
        'X-Forwarded-For is present but TRUST_PROXY is 0: all clients are counted under the address of the proxy',
      )
    }
    const shorter = findPathWithoutSlash(req.method, req.url)
    if (shorter !== null) return void reply.redirect(shorter, 301)
    const problem = queryOf(req).problem
    if (problem && req.routeOptions.config.checksQuery !== true)
      throw new ServiceError('invalid_request', { fields: [{ path: 'query', code: problem }] })
    const { crossSiteCheck } = req.routeOptions.config
    const isCheckedHere = crossSiteCheck === undefined && cookies.read(req, 'session') !== null
    if (crossSiteCheck === 'always' || isCheckedHere) {
      refuseCrossSite(req, config.baseUrl)
    }
    // The content type of an empty body is ignored, because `curl -d ''` sends a content type.
    if (req.headers['content-length'] === '0') delete req.headers['content-type']
    done()
  })
  app.addHook('preValidation', (req, _reply, done) => {
    if (req.method === 'POST' && req.body === undefined) req.body = {}
    done()
  })
}

function countAndLog(req: FastifyRequest, reply: FastifyReply, log: Logger, metrics: Metrics): void {
  metrics.recordResponse(req.method, req.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime)
  const isQuiet = req.routeOptions.config.logsErrorsOnly === true && reply.statusCode < 500
  if (isQuiet && !log.isLevelEnabled('debug')) return
  const facts = {
    method: req.method,
    route: req.routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  }
  if (isQuiet) req.log.debug(facts, 'responded')
  else req.log.info(facts, 'responded')
}
