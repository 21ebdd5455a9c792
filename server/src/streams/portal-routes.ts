// Streams the callbacks of a project as they happen, to its members and to programs with a member's API token.
import type { FastifyReply } from 'fastify'
import { eventReportAnswer, eventReportBody, eventsQuery, projectIdParams } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { refuseForeignRead } from '../http/cross-site-guard.ts'
import { describeForMember, eventStream, roleRefusals, readerRefusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import { requireProject } from '../projects/access.ts'
import { findProject } from '../projects/projects-store.ts'
import { parsePosition } from './client-stream.ts'
import { createEventStreams } from './open-streams.ts'
import type { EventStreams } from './open-streams.ts'
import { reportResponse } from './report.ts'

export function registerStreamPortalRoutes(app: Http, deps: CallbackDeps, guards: Guards): void {
  registerReport(app, deps, guards)
  const streams = createEventStreams(deps)
  // An open stream would prevent the server from closing.
  app.addHook('preClose', () => streams.close())
  app.get(
    '/portal/api/projects/:id/events',
    {
      // A HEAD request would take a stream slot and never get a response.
      exposeHeadRoute: false,
      onRequest: [
        guards.requireSession,
        (req, _reply, done) => {
          refuseForeignRead(req, deps.config.baseUrl)
          done()
        },
      ],
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        ...describeForMember('callbacks', 'The stream: callbacks as they happen, as server-sent events'),
        params: projectIdParams,
        querystring: eventsQuery,
        response: { 200: eventStream, ...readerRefusals('forbidden_origin') },
      },
    },
    async (req, reply) => {
      const caller = guards.callerOf(req)
      const { account } = caller
      const { id: projectId } = await requireProject(deps.db, account.id, req.params.id, 'read')
      const stream = await streams.reserve({
        accountId: account.id,
        projectId,
        since: parsePosition(req.headers['last-event-id']),
        isOnlyWatching: req.query.watch === 'true',
        isStillAllowed: async () =>
          (await guards.isStillAllowed(caller)) &&
          (await findProject(deps.db, account.id, projectId)) !== null,
      })
      return startStream(reply, stream)
    },
  )
}

function registerReport(app: Http, deps: CallbackDeps, guards: Guards): void {
  app.post(
    '/portal/api/projects/:id/events/report',
    {
      onRequest: guards.requireSession,
      config: { crossSiteCheck: 'after session', token: 'write' },
      schema: {
        ...describeForMember('callbacks', 'Report how your program responded to a forwarded callback'),
        params: projectIdParams,
        body: eventReportBody,
        response: { 200: eventReportAnswer, ...roleRefusals('step_up_required') },
      },
    },
    async (req) => {
      await reportResponse(deps, guards.callerOf(req).account.id, req.params.id, req.body)
      return { recorded: true } as const
    },
  )
}

/** The headers ask proxies to forward each part immediately and unchanged. */
function startStream(
  reply: FastifyReply,
  stream: Awaited<ReturnType<EventStreams['reserve']>>,
): FastifyReply {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  reply.hijack()
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  stream.start(reply.raw)
  return reply
}
