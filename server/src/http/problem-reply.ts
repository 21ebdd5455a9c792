// Sends errors as problem JSON or as a page, in the caller's language. An error that `toServiceError` does not know is logged
// and never shown.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '@pazar/contract'
import { catalogue, fieldMessage } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Config } from '../config.ts'
import { isDeletedReference } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { prefersHtml, wantsJson } from './accept.ts'
import { renderErrorPage } from './error-page.ts'
import { toFieldErrors } from './field-errors.ts'
import { localeOf } from './request-locale.ts'
import { setPagePolicy } from './security-headers.ts'

/** With these statuses browsers get a page instead of JSON. */
export const PAGE_STATUSES: ReadonlySet<number> = new Set([404, 405, 429, 500, 503])

/** Also maps the errors that Fastify throws before our code runs. */
function toServiceError(error: FastifyError, req: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  // Only an error of the client's connection is stored in `req.raw.errored`. An error of one of our own connections, such as
  // the one to the database, stays an internal error.
  if (req.raw.errored === error)
    return new ServiceError('invalid_request', {
      log: 'the client disconnected before the request was complete',
    })
  // The account was closed while the request ran, so its session has ended too.
  if (isDeletedReference(error, 'account_id'))
    return new ServiceError('unauthenticated', { log: 'the account was deleted during the request' })
  if (error.validation)
    return new ServiceError('invalid_request', { fields: toFieldErrors(error.validation) })
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('payload_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    // Fastify refuses the method QUERY without a content type before it looks for a route.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new ServiceError('invalid_request')
    default:
      return new ServiceError('internal_error', { cause: error })
  }
}

export function toProblem(
  error: ServiceError,
  facts: { baseUrl: string; requestId: string; locale: Locale },
): Problem {
  const words = catalogue(facts.locale).errors[error.code]
  const problem: Problem = {
    type: `${facts.baseUrl}/docs/errors#${error.code}`,
    title: words.title,
    status: error.status,
    detail: error.detail ? fieldMessage(facts.locale, error.detail.code, error.detail.params) : words.detail,
    code: error.code,
    requestId: facts.requestId,
  }
  if (error.fields.length > 0) {
    problem.errors = error.fields.map((field) => ({
      path: field.path,
      code: field.code,
      message: fieldMessage(facts.locale, field.code, field.params),
    }))
  }
  if (error.next !== null) problem.next = error.next
  return problem
}

function logRefusal(req: FastifyRequest, error: ServiceError): void {
  const { code, log: why } = error
  // A 503 with a known reason is logged without a stack, because an outage causes hundreds of such responses.
  if (error.status === 503 && why !== null) req.log.warn({ code, why }, 'request failed')
  else if (error.status >= 500) req.log.error({ err: error.cause ?? error, code, why }, 'request failed')
  else if (why !== null) req.log.info({ code, why }, 'refused')
}

export function beginRefusal(req: FastifyRequest, reply: FastifyReply, thrown: FastifyError): ServiceError {
  const error = toServiceError(thrown, req)
  logRefusal(req, error)
  reply.code(error.status).header('cache-control', 'no-store')
  if (error.retryAfterSec !== null) reply.header('retry-after', String(error.retryAfterSec))
  return error
}

/** Under this path errors of every status are pages, unless the client wants JSON. */
const PAYER_PATH = /^\/pay(?:[/?]|$)/

const isForPayer = (req: FastifyRequest) => PAYER_PATH.test(req.url)

function wantsPage(req: FastifyRequest, status: number): boolean {
  if (isForPayer(req)) return !wantsJson(req.headers)
  return PAGE_STATUSES.has(status) && prefersHtml(req.headers.accept)
}

export function createErrorHandler({
  baseUrl,
  supportUrl,
  operatorName,
}: Pick<Config, 'baseUrl' | 'supportUrl' | 'operatorName'>) {
  return (thrown: FastifyError, req: FastifyRequest, reply: FastifyReply) => {
    const error = beginRefusal(req, reply, thrown)
    const locale = localeOf(req)
    if (wantsPage(req, error.status)) {
      const page = renderErrorPage(locale, {
        code: error.code,
        status: error.status,
        requestId: req.id,
        retryAfterSec: error.retryAfterSec,
        supportUrl,
        operatorName,
        url: req.url,
        isGet: req.method === 'GET',
        isForPayer: isForPayer(req),
      })
      setPagePolicy(reply, { styleHashes: [page.styleHash] })
      return reply.type('text/html; charset=utf-8').send(page.text)
    }
    const problem = toProblem(error, { baseUrl, requestId: req.id, locale })
    return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
  }
}
