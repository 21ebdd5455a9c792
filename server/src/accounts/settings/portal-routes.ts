import type { FastifyRequest } from 'fastify'
import * as api from '@pazar/contract'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import { toAccountView } from '../account.ts'
import { requestEmailChange } from '../change-email.ts'
import { changePassword } from '../change-password.ts'
import type { AccountDeps } from '../deps.ts'
import { parseDeviceToken } from '../devices.ts'
import { forgetOtherDevices, listDevices } from '../forget-devices.ts'
import type { Guards } from '../guards.ts'
import { changeSettings } from '../settings.ts'

const ERRORS_OF_EVERY_ROUTE = ['invalid_request', 'forbidden_origin', 'rate_limited', 'unavailable'] as const
const ERRORS_WITH_BODY = [...ERRORS_OF_EVERY_ROUTE, 'payload_too_large', 'unsupported_media_type'] as const

export function registerAccountSettingsRoutes(
  app: Http,
  deps: AccountDeps,
  tools: HttpTools,
  guards: Guards,
): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const

  app.post(
    '/portal/api/account',
    {
      ...session,
      schema: {
        hide: true,
        body: api.accountBody,
        response: { 200: api.account, ...refusals(...ERRORS_WITH_BODY, 'unauthenticated') },
      },
    },
    async (req) => toAccountView(await changeSettings(deps, guards.callerOf(req), req.body)),
  )
  app.post(
    '/portal/api/password',
    {
      ...session,
      schema: {
        hide: true,
        body: api.passwordBody,
        response: refusals(...ERRORS_WITH_BODY, 'unauthenticated', 'step_up_required'),
      },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      const { deviceToken } = await changePassword(deps, guards.sessionOf(req), req.body)
      tools.cookies.write(reply, 'device', deviceToken, api.DEVICE_COOKIE_MAX_AGE_SEC)
      tools.cookies.clear(reply, 'step-up')
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/email',
    {
      ...session,
      config: { ...session.config, stepUp: 'waits after recovery' },
      schema: {
        hide: true,
        body: api.emailBody,
        response: refusals(...ERRORS_WITH_BODY, 'unauthenticated', 'step_up_required', 'email_taken'),
      },
    },
    async (req, reply) => {
      guards.requireStepUp(req)
      await requestEmailChange(deps, guards.callerOf(req), req.body.email)
      return reply.code(202).send()
    },
  )
  registerDeviceRoutes(app, deps, tools, guards)
}

function registerDeviceRoutes(app: Http, deps: AccountDeps, tools: HttpTools, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const deviceOf = (req: FastifyRequest) => parseDeviceToken(tools.cookies.read(req, 'device'))

  app.get(
    '/portal/api/devices',
    {
      ...session,
      schema: {
        hide: true,
        response: { 200: api.deviceList, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated') },
      },
    },
    async (req) => ({ devices: await listDevices(deps, guards.sessionOf(req), deviceOf(req)) }),
  )
  app.post(
    '/portal/api/devices/forget',
    {
      ...session,
      schema: {
        hide: true,
        body: api.emptyBody,
        response: {
          200: api.revokedAnswer,
          ...refusals(...ERRORS_WITH_BODY, 'unauthenticated', 'step_up_required'),
        },
      },
    },
    async (req) => {
      guards.requireStepUp(req)
      return forgetOtherDevices(deps, guards.sessionOf(req), deviceOf(req))
    },
  )
}
