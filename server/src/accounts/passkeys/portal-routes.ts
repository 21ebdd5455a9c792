// /portal/api: passkeys, and sign-in and step-up with a passkey. No API token is accepted here.
import * as api from '@pazar/contract'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import type { AccountDeps } from '../deps.ts'
import { createEntryCookies } from '../entry-cookies.ts'
import type { Guards } from '../guards.ts'
import { findPasskeys } from '../passkeys-store.ts'
import type { Passkey } from '../passkeys-store.ts'
import { toRelyingParty } from '../relying-party.ts'
import { createAssertionOptions, createRegistrationOptions } from './passkey-checks.ts'
import { addPasskey, removePasskey, renamePasskey, signInWithPasskey, stepUpWithPasskey } from './passkeys.ts'

const ERRORS_OF_EVERY_ROUTE = ['invalid_request', 'forbidden_origin', 'rate_limited', 'unavailable'] as const
const ERRORS_WITH_BODY = [
  ...ERRORS_OF_EVERY_ROUTE,
  'payload_too_large',
  'unsupported_media_type',
  'not_found',
] as const
const ERRORS_WITH_SESSION = [...ERRORS_WITH_BODY, 'unauthenticated'] as const
const ERRORS_OF_CHANGES = [...ERRORS_WITH_SESSION, 'step_up_required'] as const

function toView({ createdAt, lastUsedAt, ...rest }: Passkey): api.PasskeyView {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

export function registerPasskeyRoutes(app: Http, deps: AccountDeps, tools: HttpTools, guards: Guards): void {
  registerSignInRoutes(app, deps, tools)
  registerStepUpRoutes(app, deps, tools, guards)
  registerListRoutes(app, deps, guards)
}

function registerSignInRoutes(app: Http, deps: AccountDeps, tools: HttpTools): void {
  const entry = createEntryCookies(tools)
  const withoutSession = { config: { crossSiteCheck: 'always' }, onRequest: tools.limits('SIGN_IN') } as const

  app.post(
    '/portal/api/sign-in/passkey/options',
    {
      ...withoutSession,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: { 200: api.passkeyOptions, ...refusals(...ERRORS_WITH_BODY) },
      },
    },
    async (_req, reply) => {
      reply.header('cache-control', 'no-store')
      return { ...(await createAssertionOptions(deps, null)) }
    },
  )
  app.post(
    '/portal/api/sign-in/passkey',
    {
      ...withoutSession,
      schema: {
        hide: true,
        body: api.assertionBody,
        response: {
          200: api.accountAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'invalid_credentials', 'unauthenticated'),
        },
      },
    },
    async (req, reply) => {
      reply.header('cache-control', 'no-store')
      const input = { response: req.body.response, pendingToken: entry.pendingTokenOf(req) }
      return entry.startSession(reply, await signInWithPasskey(deps, entry.browserOf(req), input))
    },
  )
}

function registerStepUpRoutes(app: Http, deps: AccountDeps, tools: HttpTools, guards: Guards): void {
  const entry = createEntryCookies(tools)
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const

  app.post(
    '/portal/api/step-up/passkey/options',
    {
      ...session,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: { 200: api.passkeyOptions, ...refusals(...ERRORS_WITH_SESSION) },
      },
    },
    async (req) => ({ ...(await createAssertionOptions(deps, guards.sessionOf(req).account.id)) }),
  )
  app.post(
    '/portal/api/step-up/passkey',
    {
      ...session,
      schema: {
        hide: true,
        body: api.assertionBody,
        response: { 200: api.stepUpAnswer, ...refusals(...ERRORS_OF_CHANGES, 'invalid_credentials') },
      },
    },
    async (req, reply) => {
      const sessionToken = tools.cookies.read(req, 'session') ?? ''
      const input = { response: req.body.response, sessionToken }
      return entry.stepUp(reply, await stepUpWithPasskey(deps, guards.sessionOf(req), input))
    },
  )
}

function registerListRoutes(app: Http, deps: AccountDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const change = {
    onRequest: guards.requireSession,
    config: { crossSiteCheck: 'after session', stepUp: 'recovery code is enough' },
  } as const

  app.get(
    '/portal/api/passkeys',
    {
      ...session,
      schema: {
        hide: true,
        response: { 200: api.passkeyList, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated') },
      },
    },
    async (req) => ({
      available: toRelyingParty(deps.config) !== null,
      passkeys: (await findPasskeys(deps.db, guards.callerOf(req).account.id)).map(toView),
    }),
  )
  app.post(
    '/portal/api/passkeys/options',
    {
      ...change,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: { 200: api.passkeyOptions, ...refusals(...ERRORS_OF_CHANGES) },
      },
    },
    async (req) => {
      guards.requireStepUp(req)
      return { ...(await createRegistrationOptions(deps, guards.sessionOf(req).account)) }
    },
  )
  app.post(
    '/portal/api/passkeys',
    {
      ...change,
      schema: {
        hide: true,
        body: api.newPasskeyBody,
        response: { 201: api.newPasskeyAnswer, ...refusals(...ERRORS_OF_CHANGES) },
      },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      const { passkey, recoveryCodes } = await addPasskey(deps, guards.sessionOf(req), req.body)
      return reply.code(201).send({ passkey: toView(passkey), recoveryCodes })
    },
  )
  app.post(
    '/portal/api/passkeys/rename',
    {
      ...change,
      schema: { hide: true, body: api.renamePasskeyBody, response: refusals(...ERRORS_OF_CHANGES) },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      await renamePasskey(deps, guards.sessionOf(req), req.body)
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/passkeys/revoke',
    {
      ...change,
      schema: { hide: true, body: api.revokePasskeyBody, response: refusals(...ERRORS_OF_CHANGES) },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      await removePasskey(deps, guards.sessionOf(req), req.body.id)
      return reply.code(204).send()
    },
  )
}
