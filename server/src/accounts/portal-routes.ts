import type { FastifyReply, FastifyRequest } from 'fastify'
import * as api from '@pazar/contract'
import { refusals } from '../http/openapi.ts'
import { localeOf } from '../http/request-locale.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import { toAccountView } from './account.ts'
import { confirmEmail } from './change-email.ts'
import type { OnEmailChange } from './change-email.ts'
import { clientOf } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { createEntryCookies } from './entry-cookies.ts'
import type { Guards } from './guards.ts'
import { requestReset, resetPassword } from './reset-password.ts'
import { findFactors, toFactorList } from './second-factors-store.ts'
import { findActiveSessions } from './sessions-store.ts'
import { revokeSessions, signOut } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { stepUp } from './step-up.ts'

const ERRORS_OF_EVERY_ROUTE = ['invalid_request', 'forbidden_origin', 'rate_limited', 'unavailable'] as const
const ERRORS_WITH_BODY = [...ERRORS_OF_EVERY_ROUTE, 'payload_too_large', 'unsupported_media_type'] as const

async function noStore(_req: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store')
}

export function registerAccountRoutes(
  app: Http,
  deps: AccountDeps,
  tools: HttpTools,
  guards: Guards,
  onEmailChange: OnEmailChange,
): void {
  app.decorateRequest('caller')
  registerEntryRoutes(app, deps, tools)
  registerMailedRoutes(app, deps, tools, onEmailChange)
  registerSessionRoutes(app, deps, tools, guards)
}

function registerEntryRoutes(app: Http, deps: AccountDeps, tools: HttpTools): void {
  const entry = createEntryCookies(tools)
  const config = { crossSiteCheck: 'always' } as const

  /** Lets a request with any invitation pass. signUp checks whether the invitation is valid for the address. */
  async function refuseIfClosed({ body }: FastifyRequest): Promise<void> {
    const isInvited = typeof body === 'object' && body !== null && 'invitation' in body
    if (deps.config.signUp === 'closed' && !isInvited) throw new ServiceError('sign_up_closed')
  }

  app.post(
    '/portal/api/sign-up',
    {
      config,
      onRequest: [noStore, tools.limits('SIGN_UP')],
      preValidation: refuseIfClosed,
      schema: {
        hide: true,
        body: api.signUpBody,
        response: {
          201: api.accountAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'sign_up_closed', 'token_expired', 'email_taken'),
        },
      },
    },
    async (req, reply) => {
      const input = { ...req.body, locale: req.body.locale ?? localeOf(req) }
      return reply.code(201).send(entry.startSession(reply, await signUp(deps, entry.browserOf(req), input)))
    },
  )
  app.post(
    '/portal/api/sign-in',
    {
      config,
      onRequest: [noStore, tools.limits('SIGN_IN')],
      schema: {
        hide: true,
        body: api.signInBody,
        response: {
          200: api.signInAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'invalid_credentials', 'locked_out'),
        },
      },
    },
    async (req, reply) => {
      const result = await signIn(deps, entry.browserOf(req), req.body)
      return 'secondFactor' in result ? entry.askForFactor(reply, result) : entry.startSession(reply, result)
    },
  )
}

function registerMailedRoutes(
  app: Http,
  deps: AccountDeps,
  tools: HttpTools,
  onEmailChange: OnEmailChange,
): void {
  const withoutSession = { config: { crossSiteCheck: 'always' }, onRequest: noStore } as const

  app.post(
    '/portal/api/password/forgot',
    {
      ...withoutSession,
      schema: { hide: true, body: api.forgotBody, response: refusals(...ERRORS_WITH_BODY) },
    },
    async (req, reply) => {
      await requestReset(deps, clientOf(req), req.body.email)
      return reply.code(202).send()
    },
  )
  app.post(
    '/portal/api/password/reset',
    {
      ...withoutSession,
      schema: { hide: true, body: api.resetBody, response: refusals(...ERRORS_WITH_BODY, 'token_expired') },
    },
    async (req, reply) => {
      await resetPassword(deps, clientOf(req), req.body)
      createEntryCookies(tools).endSession(reply)
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/email/confirm',
    {
      ...withoutSession,
      schema: {
        hide: true,
        body: api.tokenBody,
        response: refusals(...ERRORS_WITH_BODY, 'token_expired', 'email_taken'),
      },
    },
    async (req, reply) => {
      await confirmEmail(deps, clientOf(req), req.body.token, onEmailChange)
      return reply.code(204).send()
    },
  )
}

// Why this is long: it registers many routes.
function registerSessionRoutes(app: Http, deps: AccountDeps, tools: HttpTools, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const entry = createEntryCookies(tools)

  app.get(
    '/portal/api/session',
    {
      ...session,
      schema: {
        hide: true,
        response: { 200: api.sessionAnswer, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated') },
      },
    },
    async (req) => {
      const { account, stepUpUntil } = guards.callerOf(req)
      const factors = toFactorList(await findFactors(deps.db, account.id))
      return {
        account: toAccountView(account),
        stepUpUntil: stepUpUntil?.toISOString() ?? null,
        stepUpWith: factors.length > 0 ? factors : ['password' as const],
      }
    },
  )
  app.post(
    '/portal/api/sign-out',
    {
      ...session,
      schema: { hide: true, body: api.emptyBody, response: refusals(...ERRORS_WITH_BODY, 'unauthenticated') },
    },
    async (req, reply) => {
      await signOut(deps, guards.sessionOf(req))
      entry.endSession(reply)
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/step-up',
    {
      ...session,
      schema: {
        hide: true,
        body: api.stepUpBody,
        response: {
          200: api.stepUpAnswer,
          ...refusals(
            ...ERRORS_WITH_BODY,
            'unauthenticated',
            'invalid_credentials',
            'step_up_required',
            'locked_out',
          ),
        },
      },
    },
    async (req, reply) => {
      const sessionToken = tools.cookies.read(req, 'session') ?? ''
      const { password, code } = req.body
      const proof = code === undefined ? { password: password ?? '' } : { code }
      return entry.stepUp(reply, await stepUp(deps, guards.sessionOf(req), { proof, sessionToken }))
    },
  )
  app.get(
    '/portal/api/sessions',
    {
      ...session,
      schema: {
        hide: true,
        response: { 200: api.sessionList, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated') },
      },
    },
    async (req) => {
      const { account, sessionId } = guards.sessionOf(req)
      const found = await findActiveSessions(deps.db, account.id)
      return {
        sessions: found.map((one) => ({
          ...one,
          current: one.id === sessionId,
          createdAt: one.createdAt.toISOString(),
          lastSeenAt: one.lastSeenAt.toISOString(),
        })),
      }
    },
  )
  app.post(
    '/portal/api/sessions/revoke',
    {
      ...session,
      schema: {
        hide: true,
        body: api.revokeSessionBody,
        response: {
          200: api.revokedAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'unauthenticated', 'not_found', 'step_up_required'),
        },
      },
    },
    async (req, reply) => {
      const caller = guards.sessionOf(req)
      const response = await revokeSessions(deps, caller, req.body.id)
      if (req.body.id === caller.sessionId) entry.endSession(reply)
      return response
    },
  )
}
