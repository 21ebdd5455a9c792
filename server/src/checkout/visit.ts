// One request to a payer's page: what it came with and what its answer is written with.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { catalogue } from '@pazar/words'
import type { Catalogue, Locale } from '@pazar/words'
import { prefersJson } from '../http/accept.ts'
import type { Cookies } from '../http/cookies.ts'
import { localeOf } from '../http/request-locale.ts'
import type { HttpTools } from '../http/server.ts'
import type { CheckoutDeps } from './deps.ts'

export type CheckoutWords = Catalogue['checkout']

export interface Visit {
  deps: CheckoutDeps
  cookies: Cookies
  req: FastifyRequest
  reply: FastifyReply
  locale: Locale
  words: CheckoutWords
  /** A program: it gets the same statuses as problem JSON or JSON, never a page. */
  wantsJson: boolean
}

export type ToVisit = (req: FastifyRequest, reply: FastifyReply) => Visit

export function createVisits(deps: CheckoutDeps, tools: HttpTools): ToVisit {
  return (req, reply) => {
    const locale = localeOf(req)
    const sendsJson = /^application\/json\b/i.test(req.headers['content-type'] ?? '')
    return {
      deps,
      cookies: tools.cookies,
      req,
      reply,
      locale,
      words: catalogue(locale).checkout,
      wantsJson: sendsJson || prefersJson(req.headers.accept),
    }
  }
}
