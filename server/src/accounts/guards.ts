// Who may pass: the session cookie or an API token first, then where the request comes from, then how often. Runs before
// the body is read; a route checks the rest (ownership, step-up) itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '@pazar/contract'
import { refuseCrossSite } from '../http/cross-site-guard.ts'
import type { HttpTools } from '../http/server.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { isWorkingApiToken, useApiToken } from './api-tokens-store.ts'
import { findBearer, isApiToken } from './api-token-format.ts'
import { clientOf } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { findLiveSession, hasLiveSession, touchSession } from './sessions-store.ts'
import type { Caller, SessionCaller } from './sessions.ts'
import { isTokenOf, toTokenHash } from './token-hash.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`; read it with `callerOf`. */
    caller?: Caller
  }
  interface FastifyContextConfig {
    /** The scope with which an API token is let in here. A route that does not say so lets none in. */
    token?: TokenScope
  }
}

export interface Guards {
  /** An `onRequest` hook; its route sets `config: { site: 'session' }`, and `token` where API tokens are let in too. */
  requireSession: (req: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Never passed with an API token: a program has no password to repeat. */
  requireStepUp: (req: FastifyRequest) => void
  /** For pages that also exist without a session. */
  findSession: (req: FastifyRequest) => Promise<Caller | null>
  callerOf: (req: FastifyRequest) => Caller
  /** For routes without `token`. */
  sessionOf: (req: FastifyRequest) => SessionCaller
  /** For streams, which outlive the guard's check: whether the session or token is still valid. */
  isStillAllowed: (caller: Caller) => Promise<boolean>
}

export function callerOf(req: FastifyRequest): Caller {
  if (!req.caller) throw new Error('This route has no session guard.')
  return req.caller
}

export function sessionOf(req: FastifyRequest): SessionCaller {
  const caller = callerOf(req)
  if (caller.sessionId === null) throw new Error('This route lets API tokens in, which have no session.')
  return { ...caller, sessionId: caller.sessionId }
}

export function createGuards(deps: AccountDeps, tools: HttpTools): Guards {
  const limitPerAccount = tools.limits('PORTAL', (req) => callerOf(req).account.id)

  async function findSession(req: FastifyRequest): Promise<Caller | null> {
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
      token: null,
      stepUpUntil: isStepUp ? stepUp.until : null,
      ...clientOf(req),
    }
  }

  async function findTokenHolder(req: FastifyRequest, bearer: string): Promise<Caller | null> {
    // The two could name different accounts, and a program has no use for a browser's cookie.
    if (tools.cookies.read(req, 'session') !== null) throw invalidField('authorization', 'token_and_session')
    if (!isApiToken(bearer)) return null
    // Refused without a query: no token works here, and the response says so instead of calling it invalid.
    if (req.routeOptions.config.token === undefined)
      throw new ServiceError('unauthenticated', {
        fields: [{ path: 'authorization', code: 'token_not_here' }],
      })
    const used = await useApiToken(deps.db, toTokenHash(bearer))
    if (!used) return null
    const { account, ...token } = used
    return { account, sessionId: null, token, stepUpUntil: null, ...clientOf(req) }
  }

  return {
    async requireSession(req, reply) {
      // No cache may store what one person may see.
      reply.header('cache-control', 'no-store')
      const bearer = findBearer(req.headers.authorization)
      const caller = bearer === null ? await findSession(req) : await findTokenHolder(req, bearer)
      if (!caller) throw new ServiceError('unauthenticated')
      req.caller = caller
      req.accountLocale = caller.account.locale
      // No browser adds a token by itself, so another site cannot make one send it.
      if (caller.token === null) refuseCrossSite(req, deps.config.baseUrl)
      await limitPerAccount(req, reply)
      refuseNarrowScope(req, caller)
    },
    requireStepUp(req) {
      if (callerOf(req).stepUpUntil === null) throw new ServiceError('step_up_required')
    },
    async findSession(req) {
      const caller = await findSession(req)
      req.accountLocale = caller?.account.locale ?? null
      return caller
    },
    callerOf,
    sessionOf,
    async isStillAllowed({ account, sessionId, token }) {
      if (sessionId !== null) return hasLiveSession(deps.db, account.id, sessionId)
      return token !== null && isWorkingApiToken(deps.db, account.id, token.id)
    },
  }
}

function refuseNarrowScope(req: FastifyRequest, caller: Caller): void {
  if (req.routeOptions.config.token !== 'read') requireWriteScope(caller)
}

/** For what a route that lets every token in does not do for each of them. A browser has no scope. */
export function requireWriteScope({ token }: Pick<Caller, 'token'>): void {
  if (token === null || token.scope === 'write') return
  throw new ServiceError('step_up_required', { fields: [{ path: 'authorization', code: 'token_scope' }] })
}
