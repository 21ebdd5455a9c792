// /sdk/events: the feed of a project's changes, for its members and for programs with an API token.
import { eventList, eventListBody } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { describeForMember, readerRefusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import type { FeedDeps } from './list-events.ts'
import { listEvents } from './list-events.ts'

export function registerFeedRoutes(app: Http, deps: FeedDeps, guards: Guards): void {
  app.post(
    '/sdk/events/list',
    {
      config: { crossSiteCheck: 'after session', token: 'read', limit: 'EVENTS' },
      onRequest: guards.requireSession,
      schema: {
        ...describeForMember('transactions', 'List the changes to payments, refunds and disputes'),
        body: eventListBody,
        response: { 200: eventList, ...readerRefusals('cursor_expired', 'forbidden_origin') },
      },
    },
    async (req) => listEvents(deps, guards.callerOf(req).account.id, req.body),
  )
}
