// /portal/api/tokens: the API tokens of the signed-in person. These routes accept no API token, so a token cannot create
// another.
import { newTokenAnswer, newTokenBody, revokeTokenBody, tokenList } from '@pazar/contract'
import type { Permission } from '@pazar/contract'
import { refusals } from '../../http/openapi.ts'
import type { Http } from '../../http/server.ts'
import type { Tx } from '../../db/pool.ts'
import type { AccountId } from '../account.ts'
import type { AccountDeps } from '../deps.ts'
import type { Guards } from '../guards.ts'
import { findApiTokens } from '../api-tokens-store.ts'
import { endApiToken, makeApiToken } from './api-tokens.ts'

const ERRORS_OF_EVERY_ROUTE = ['invalid_request', 'unauthenticated', 'rate_limited', 'unavailable'] as const
const ERRORS_WITH_BODY = [
  ...ERRORS_OF_EVERY_ROUTE,
  'forbidden_origin',
  'payload_too_large',
  'unsupported_media_type',
] as const

/** accounts/ may not import projects/, so app.ts passes this check in. */
export type RequireProject = (
  tx: Tx,
  accountId: AccountId,
  projectId: string,
  permission: Permission,
) => Promise<unknown>

export function registerApiTokenRoutes(
  app: Http,
  deps: AccountDeps,
  guards: Guards,
  requireProject: RequireProject,
): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const

  app.get(
    '/portal/api/tokens',
    {
      ...session,
      schema: { hide: true, response: { 200: tokenList, ...refusals(...ERRORS_OF_EVERY_ROUTE) } },
    },
    async (req) => {
      const tokens = await findApiTokens(deps.db, guards.callerOf(req).account.id)
      return {
        tokens: tokens.map((one) => ({
          ...one,
          dailyCap: one.dailyCap?.toString() ?? null,
          createdAt: one.createdAt.toISOString(),
          expiresAt: one.expiresAt.toISOString(),
          lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
        })),
      }
    },
  )
  app.post(
    '/portal/api/tokens',
    {
      ...session,
      // The new token may allow refunds, so no token is created during the wait after a recovery (recovery-wait.ts).
      config: { ...session.config, stepUp: 'waits after recovery' },
      schema: {
        hide: true,
        body: newTokenBody,
        response: {
          201: newTokenAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'not_found', 'step_up_required', 'forbidden_role'),
        },
      },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      const caller = guards.callerOf(req)
      const { expiresAt, dailyCap, ...made } = await makeApiToken(deps, caller, req.body, (tx, ...project) =>
        requireProject(tx, caller.account.id, ...project),
      )
      const view = { ...made, dailyCap: dailyCap?.toString() ?? null, expiresAt: expiresAt.toISOString() }
      return reply.code(201).send(view)
    },
  )
  app.post(
    '/portal/api/tokens/revoke',
    {
      ...session,
      schema: { hide: true, body: revokeTokenBody, response: refusals(...ERRORS_WITH_BODY, 'not_found') },
    },
    async (req, reply) => {
      await endApiToken(deps, guards.callerOf(req), req.body.id)
      return reply.code(204).send()
    },
  )
}
