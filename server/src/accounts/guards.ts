// Who may pass: the session cookie first, then where the request comes from, then how often. Runs before the body is
// looked at; what a route demands beyond that (ownership, step-up) it asks for itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuseCrossSite } from '../http/cross-site-guard.ts'
import type { HttpTools } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import { clientOf } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { findLiveSession, touchSession } from './sessions-store.ts'
import type { Caller } from './sessions.ts'
import { isTokenOf, toTokenHash } from './token-hash.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`; read it with `callerOf`. */
    caller?: Caller
  }
}

export interface Guards {
  /** An `onRequest` hook; its route sets `config: { site: 'session' }`. */
  requireSession: (req: FastifyRequest, reply: FastifyReply) => Promise<void>
  requireStepUp: (req: FastifyRequest) => void
  /** For pages, which look different rather than refuse when nobody is signed in. */
  findSession: (req: FastifyRequest) => Promise<Caller | null>
  callerOf: (req: FastifyRequest) => Caller
}

export function callerOf(req: FastifyRequest): Caller {
  if (!req.caller) throw new Error('This route has no session guard.')
  return req.caller
}

export function createGuards(deps: AccountDeps, tools: HttpTools): Guards {
  const limitPerAccount = tools.limits('PORTAL', (req) => callerOf(req).account.id)

  async function findCaller(req: FastifyRequest): Promise<Caller | null> {
    const token = tools.cookies.read(req, 'session')
    const stepUpToken = tools.cookies.read(req, 'step-up')
    const session = token === null ? null : await findLiveSession(deps.db, toTokenHash(token))
    if (!session) return null
    if (session.seenLongAgo) await touchSession(deps.db, session.id)
    const { stepUp } = session
    const isStepUp = stepUp !== null && stepUpToken !== null && isTokenOf(stepUpToken, stepUp.hash)
    return {
      account: session.account,
      sessionId: session.id,
      stepUpUntil: isStepUp ? stepUp.until : null,
      ...clientOf(req),
    }
  }

  return {
    async requireSession(req, reply) {
      // Whatever is told to one person is kept by no cache on the way.
      reply.header('cache-control', 'no-store')
      const caller = await findCaller(req)
      if (!caller) throw new ServiceError('unauthenticated')
      req.caller = caller
      req.accountLocale = caller.account.locale
      refuseCrossSite(req, deps.config.baseUrl)
      await limitPerAccount(req, reply)
    },
    requireStepUp(req) {
      if (callerOf(req).stepUpUntil === null) throw new ServiceError('step_up_required')
    },
    async findSession(req) {
      const caller = await findCaller(req)
      req.accountLocale = caller?.account.locale ?? null
      return caller
    },
    callerOf,
  }
}
