// `requireSession` checks the session or API token, the origin, the rate limit and the token's scope before the body is
// read. Each route checks the role and the step-up itself.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimitName, TokenScope } from '@pazar/contract'
import { refuseCrossSite } from '../http/cross-site-guard.ts'
import type { HttpTools } from '../http/server.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { isWorkingApiToken, useApiToken } from './api-tokens-store.ts'
import { findBearer, isApiToken } from './api-token-format.ts'
import { clientOf } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { refuseAfterRecovery } from './recovery-wait.ts'
import { findActiveSession, hasActiveSession, touchSession } from './sessions-store.ts'
import type { Caller, SessionCaller } from './sessions.ts'
import { isTokenOf, toTokenHash } from './token-hash.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`; read it with `callerOf`. */
    caller?: Caller
  }
  interface FastifyContextConfig {
    /** The scope that an API token needs on this route. A route without this setting accepts no API tokens. */
    token?: TokenScope
    /**
     * Which step-ups the route refuses. 'recovery code is enough': none. Absent: step-ups with a recovery code. 'waits after
     * recovery': step-ups with a recovery code, and all step-ups within RECOVERY_WAIT_HOURS after a recovery
     * (`recovery-wait.ts`).
     */
    stepUp?: 'recovery code is enough' | 'waits after recovery'
    /** The rate limit of the route, counted per account. The default is PORTAL. */
    limit?: Extract<RateLimitName, 'EVENTS' | 'TRANSACTION_GET'>
  }
}

export interface Guards {
  /**
   * An `onRequest` hook. A route with this hook sets `crossSiteCheck: 'after session'`. To accept API tokens, the route
   * also sets `token`.
   */
  requireSession: (req: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** A `preHandler` hook: a request with a token of one project gets `not_found` for other projects. */
  refuseTokenOfOtherProject: (req: FastifyRequest) => Promise<void>
  /** Refuses callers without a valid step-up. API tokens never have one, because a program has no password to repeat. */
  requireStepUp: (req: FastifyRequest) => void
  /** Returns null if there is no session. Used for pages that need no session. */
  findSession: (req: FastifyRequest) => Promise<Caller | null>
  callerOf: (req: FastifyRequest) => Caller
  /** The caller of a route that accepts no API tokens. */
  sessionOf: (req: FastifyRequest) => SessionCaller
  /** Checks the session or token again, for a stream that stays open after the guard's first check. */
  isStillAllowed: (caller: Caller) => Promise<boolean>
}

function callerOf(req: FastifyRequest): Caller {
  if (!req.caller) throw new Error('This route has no session guard.')
  return req.caller
}

function sessionOf(req: FastifyRequest): SessionCaller {
  const caller = callerOf(req)
  if (caller.sessionId === null) throw new Error('This route accepts API tokens, which have no session.')
  return { ...caller, sessionId: caller.sessionId }
}

export function createGuards(deps: AccountDeps, tools: HttpTools): Guards {
  const perAccount = (name: RateLimitName) => tools.limits(name, (req) => callerOf(req).account.id)
  const limits = {
    PORTAL: perAccount('PORTAL'),
    EVENTS: perAccount('EVENTS'),
    TRANSACTION_GET: perAccount('TRANSACTION_GET'),
  }

  async function findSession(req: FastifyRequest): Promise<Caller | null> {
    const token = tools.cookies.read(req, 'session')
    const stepUpToken = tools.cookies.read(req, 'step-up')
    const session = token === null ? null : await findActiveSession(deps.db, toTokenHash(token))
    if (!session) return null
    if (session.seenLongAgo) await touchSession(deps.db, session.id)
    const { stepUp } = session
    const isStepUp = stepUp !== null && stepUpToken !== null && isTokenOf(stepUpToken, stepUp.hash)
    return {
      account: session.account,
      sessionId: session.id,
      token: null,
      stepUpUntil: isStepUp ? stepUp.until : null,
      stepUpByRecovery: isStepUp && stepUp.byRecovery,
      isRecovering: session.isRecovering,
      ...clientOf(req),
    }
  }

  async function findTokenHolder(req: FastifyRequest, bearer: string): Promise<Caller | null> {
    // The token and the cookie could belong to different accounts.
    if (tools.cookies.read(req, 'session') !== null) throw invalidField('authorization', 'token_and_session')
    if (!isApiToken(bearer)) return null
    // Without the code `token_not_here`, the caller would believe that the token is invalid.
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
      // Responses for one person must not be cached.
      reply.header('cache-control', 'no-store')
      const bearer = findBearer(req.headers.authorization)
      const caller = bearer === null ? await findSession(req) : await findTokenHolder(req, bearer)
      if (!caller) throw new ServiceError('unauthenticated')
      req.caller = caller
      req.accountLocale = caller.account.locale
      // Browsers do not send API tokens automatically, so another site cannot misuse them.
      if (caller.token === null) refuseCrossSite(req, deps.config.baseUrl)
      await limits[req.routeOptions.config.limit ?? 'PORTAL'](req, reply)
      refuseNarrowScope(req, caller)
    },
    async refuseTokenOfOtherProject(req) {
      const tokenProjectId = req.caller?.token?.projectId ?? null
      if (tokenProjectId !== null && toNamedProjects(req).some((id) => id !== tokenProjectId))
        throw new ServiceError('not_found')
    },
    requireStepUp(req) {
      const caller = callerOf(req)
      if (caller.stepUpUntil === null) throw new ServiceError('step_up_required')
      refuseAfterRecovery(caller, req.routeOptions.config.stepUp)
    },
    async findSession(req) {
      const caller = await findSession(req)
      req.accountLocale = caller?.account.locale ?? null
      return caller
    },
    callerOf,
    sessionOf,
    async isStillAllowed({ account, sessionId, token }) {
      if (sessionId !== null) return hasActiveSession(deps.db, account.id, sessionId)
      return token !== null && isWorkingApiToken(deps.db, account.id, token.id)
    },
  }
}

function toNamedProjects({ params, body, routeOptions }: FastifyRequest): unknown[] {
  const inPath = routeOptions.url?.includes('/projects/:id') ? [readField(params, 'id')] : []
  return [...inPath, readField(body, 'projectId'), readField(body, 'project')].filter(
    (id) => id !== undefined,
  )
}

function readField(container: unknown, name: string): unknown {
  return typeof container === 'object' && container !== null && name in container
    ? Reflect.get(container, name)
    : undefined
}

/** Every scope allows reading. `write` does not allow refunds, and `refund` does not allow writing. */
function refuseNarrowScope(req: FastifyRequest, caller: Caller): void {
  const needed = req.routeOptions.config.token
  if (needed !== undefined && needed !== 'read') requireScope(caller, needed)
}

/** Used for an action that needs the write scope, on a route that also accepts read tokens. */
export function requireWriteScope(caller: Pick<Caller, 'token'>): void {
  requireScope(caller, 'write')
}

function requireScope({ token }: Pick<Caller, 'token'>, scope: TokenScope): void {
  if (token === null || token.scope === scope) return
  const field = { path: 'authorization', code: 'token_scope', params: { scope } }
  // The general text of `step_up_required` asks for the password, which a program cannot give.
  throw new ServiceError('step_up_required', { fields: [field], detail: field })
}
