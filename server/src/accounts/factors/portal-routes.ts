// /portal/api: the authenticator app and the recovery codes of an account, and sign-in with a code. If an operator has
// requested the removal of a person's second factors, the person can cancel the removal here. These routes accept no API
// token.
import * as api from '@pazar/contract'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import type { AccountDeps } from '../deps.ts'
import { createEntryCookies } from '../entry-cookies.ts'
import { findFactorReset } from '../factor-resets-store.ts'
import type { Guards } from '../guards.ts'
import { findFactors, toFactorList } from '../second-factors-store.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { cancelOwnFactorReset } from './reset-factors.ts'
import { confirmTotpSecret, offerTotpSecret, removeTotp, renewRecoveryCodes } from './totp-factor.ts'

const ERRORS_OF_EVERY_ROUTE = ['invalid_request', 'forbidden_origin', 'rate_limited', 'unavailable'] as const
const ERRORS_WITH_BODY = [
  ...ERRORS_OF_EVERY_ROUTE,
  'payload_too_large',
  'unsupported_media_type',
  'unauthenticated',
] as const
const ERRORS_OF_CHANGES = [...ERRORS_WITH_BODY, 'step_up_required', 'not_found'] as const

/** accounts/ may not import paylinks/, so app.ts passes the QR encoder in. */
export type DrawQr = (text: string) => string

export function registerFactorRoutes(
  app: Http,
  deps: AccountDeps,
  tools: HttpTools,
  guards: Guards,
  drawQr: DrawQr,
): void {
  registerCodeSignIn(app, deps, tools)
  registerTotpRoutes(app, deps, guards, drawQr)
}

function registerCodeSignIn(app: Http, deps: AccountDeps, tools: HttpTools): void {
  const entry = createEntryCookies(tools)
  app.post(
    '/portal/api/sign-in/code',
    {
      config: { crossSiteCheck: 'always' },
      onRequest: tools.limits('SIGN_IN'),
      schema: {
        hide: true,
        body: api.codeBody,
        response: {
          200: api.accountAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'invalid_credentials', 'locked_out'),
        },
      },
    },
    async (req, reply) => {
      reply.header('cache-control', 'no-store')
      const input = { code: req.body.code, pendingToken: entry.pendingTokenOf(req) }
      return entry.startSession(reply, await completeSignIn(deps, entry.browserOf(req), input))
    },
  )
}

// Why this is long: it registers many routes.
function registerTotpRoutes(app: Http, deps: AccountDeps, guards: Guards, drawQr: DrawQr): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const change = {
    onRequest: guards.requireSession,
    config: { crossSiteCheck: 'after session', stepUp: 'recovery code is enough' },
  } as const

  app.get(
    '/portal/api/totp',
    {
      ...session,
      schema: {
        hide: true,
        response: { 200: api.totpState, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated') },
      },
    },
    async (req) => {
      const { id } = guards.callerOf(req).account
      const [factors, removedAfter] = await Promise.all([
        findFactors(deps.db, id),
        findFactorReset(deps.db, id),
      ])
      return {
        enabledAt: factors.totpSince?.toISOString() ?? null,
        hasSecondFactor: toFactorList(factors).length > 0,
        recoveryCodesLeft: factors.recoveryCodesLeft,
        removedAfter: removedAfter?.toISOString() ?? null,
      }
    },
  )
  app.post(
    '/portal/api/totp',
    {
      ...change,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: { 200: api.totpOffer, ...refusals(...ERRORS_OF_CHANGES) },
      },
    },
    async (req) => {
      guards.requireStepUp(req)
      const offer = await offerTotpSecret(deps, guards.sessionOf(req))
      return { ...offer, qr: drawQr(offer.uri) }
    },
  )
  app.post(
    '/portal/api/totp/confirm',
    {
      ...change,
      schema: {
        hide: true,
        body: api.codeBody,
        response: { 200: api.recoveryCodes, ...refusals(...ERRORS_OF_CHANGES) },
      },
    },
    async (req) => {
      guards.requireStepUp(req)
      return confirmTotpSecret(deps, guards.sessionOf(req), req.body.code)
    },
  )
  app.post(
    '/portal/api/totp/remove',
    { ...change, schema: { hide: true, body: api.emptyBody, response: refusals(...ERRORS_OF_CHANGES) } },
    async (req, reply) => {
      guards.requireStepUp(req)
      await removeTotp(deps, guards.sessionOf(req))
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/second-factor/keep',
    { ...change, schema: { hide: true, body: api.emptyBody, response: refusals(...ERRORS_OF_CHANGES) } },
    async (req, reply) => {
      guards.requireStepUp(req)
      await cancelOwnFactorReset(deps, guards.sessionOf(req))
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/recovery-codes',
    {
      ...change,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: { 200: api.recoveryCodes, ...refusals(...ERRORS_OF_CHANGES) },
      },
    },
    async (req) => {
      guards.requireStepUp(req)
      return renewRecoveryCodes(deps, guards.sessionOf(req))
    },
  )
}
