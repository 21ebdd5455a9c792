// What the people of a project can see and do about callbacks: the log, failures, the inbox, resending, test callbacks.
import type { FastifyRequest } from 'fastify'
import {
  deliveryCsvQuery,
  deliveryDetail,
  deliveryList,
  deliveryParams,
  deliveryQuery,
  failures,
  failuresQuery,
  inboxList,
  inboxQuery,
  projectIdParams,
  resendAnswer,
  resendBody,
  resendFailedAnswer,
  resendFailedBody,
  testCallbackAnswer,
  testCallbackBody,
} from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Guards } from '../accounts/guards.ts'
import { describeForMember, roleRefusals, readerRefusals } from '../http/openapi.ts'
import { localeOf } from '../http/request-locale.ts'
import { sendParts } from '../http/send-parts.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { CSV_TYPE, toCsvAttachment } from '../lib/csv.ts'
import { exportDeliveries } from './deliveries-csv.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { readFailures } from './failures.ts'
import { readInbox } from './read-inbox.ts'
import { listDeliveries, readDelivery } from './log.ts'
import { resendCallback, resendFailed } from './resend.ts'
import { sendTestCallback } from './send-test.ts'

const BASE = '/portal/api/projects/:id'

interface Routes {
  app: Http
  deps: CallbackDeps
  tools: HttpTools
  guards: Guards
  accountIdOf: (req: FastifyRequest) => AccountId
}

export function registerDeliveryPortalRoutes(
  app: Http,
  deps: CallbackDeps,
  tools: HttpTools,
  guards: Guards,
): void {
  const accountIdOf = (req: FastifyRequest) => guards.callerOf(req).account.id
  registerLog({ app, deps, tools, guards, accountIdOf })
  registerActions({ app, deps, tools, guards, accountIdOf })
}

const describe = (summary: string) => describeForMember('callbacks', summary)

function registerLog({ app, deps, guards, accountIdOf }: Routes): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const readOptions = { ...session, config: { crossSiteCheck: 'after session', token: 'read' } } as const
  const hidden = { hide: true, params: projectIdParams }
  app.get(
    `${BASE}/deliveries`,
    {
      ...readOptions,
      schema: {
        ...describe('The callback log'),
        params: projectIdParams,
        querystring: deliveryQuery,
        response: { 200: deliveryList, ...readerRefusals() },
      },
    },
    async (req) =>
      listDeliveries(deps, accountIdOf(req), {
        projectId: req.params.id,
        query: req.query,
        locale: localeOf(req),
      }),
  )
  app.get(
    `${BASE}/deliveries/:callbackId`,
    {
      ...readOptions,
      schema: {
        ...describe('One callback with its attempts'),
        params: deliveryParams,
        response: { 200: deliveryDetail, ...readerRefusals() },
      },
    },
    async (req) => {
      const { id: projectId, callbackId } = req.params
      return readDelivery(deps, accountIdOf(req), { projectId, callbackId, locale: localeOf(req) })
    },
  )
  app.get(
    `${BASE}/deliveries.csv`,
    { ...session, schema: { ...hidden, querystring: deliveryCsvQuery } },
    async (req, reply) => {
      const { lang: _lang, ...filters } = req.query
      const options = { projectId: req.params.id, filters, locale: localeOf(req) }
      const caller = guards.callerOf(req)
      const text = await exportDeliveries(deps, caller.account, options, () => guards.isStillAllowed(caller))
      const name = ['deliveries', req.params.id, ...(filters.mode ? [filters.mode] : [])]
      void reply
        .type(CSV_TYPE)
        .header('content-disposition', toCsvAttachment(name, deps.clock.nowMs(), caller.account.timeZone))
      return sendParts(reply, text)
    },
  )
  app.get(
    `${BASE}/inbox`,
    {
      ...readOptions,
      schema: {
        ...describe('What arrived in the inbox of a project without a server'),
        params: projectIdParams,
        querystring: inboxQuery,
        response: { 200: inboxList, ...roleRefusals() },
      },
    },
    async (req, reply) => {
      const items = await readInbox(deps, accountIdOf(req), req.params.id, req.query.limit)
      return reply.header('cache-control', 'no-store').send({ items })
    },
  )
  app.get(
    `${BASE}/failures`,
    { ...session, schema: { ...hidden, querystring: failuresQuery, response: { 200: failures } } },
    async (req) =>
      readFailures(deps, accountIdOf(req), {
        projectId: req.params.id,
        mode: req.query.mode,
        locale: localeOf(req),
      }),
  )
}

function registerActions({ app, deps, tools, guards, accountIdOf }: Routes): void {
  const writeOptions = {
    onRequest: guards.requireSession,
    config: { crossSiteCheck: 'after session', token: 'write' },
  } as const
  app.post(
    `${BASE}/deliveries/:callbackId/resend`,
    {
      ...writeOptions,
      schema: {
        ...describe('Send one callback again, under the same ID'),
        params: deliveryParams,
        body: resendBody,
        response: {
          202: resendAnswer,
          ...roleRefusals('step_up_required', 'already_delivered', 'custom_id_conflict'),
        },
      },
    },
    async (req, reply) => {
      const { id: projectId, callbackId } = req.params
      const input = { projectId, callbackId, again: req.body.again ?? false }
      return reply.code(202).send({ callback: await resendCallback(deps, accountIdOf(req), input) })
    },
  )
  app.post(
    `${BASE}/deliveries/resend-failed`,
    {
      ...writeOptions,
      schema: {
        ...describe('Resend all callbacks not delivered since a given time'),
        params: projectIdParams,
        body: resendFailedBody,
        response: { 202: resendFailedAnswer, ...roleRefusals('step_up_required') },
      },
    },
    async (req, reply) => {
      const count = await resendFailed(deps, accountIdOf(req), { projectId: req.params.id, ...req.body })
      return reply.code(202).send({ count })
    },
  )
  app.post(
    `${BASE}/test-callbacks`,
    {
      ...writeOptions,
      // Limited, because a test callback can make the service call a URL of the caller's choice.
      onRequest: [guards.requireSession, tools.limits('TEST_CALLBACK', accountIdOf)],
      schema: {
        ...describe('Send a test callback now, without a payment'),
        params: projectIdParams,
        body: testCallbackBody,
        response: { 200: testCallbackAnswer, ...roleRefusals('step_up_required') },
      },
    },
    async (req) =>
      sendTestCallback(deps, accountIdOf(req), {
        projectId: req.params.id,
        options: req.body,
        locale: localeOf(req),
      }),
  )
}
