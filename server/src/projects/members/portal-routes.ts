// Routes for the people of a project. No API token is accepted, because a program must not let people in.
import {
  emptyBody,
  invitationAnswer,
  inviteBody,
  memberBody,
  removeMemberBody,
  memberList,
  memberMailsBody,
  memberRoleBody,
  project,
  projectIdParams,
  tokenBody,
} from '@pazar/contract'
import type { Guards } from '../../accounts/guards.ts'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import type { ProjectDeps } from '../deps.ts'
import { toProjectView } from '../project.ts'
import { acceptInvitation, inviteMember } from './invitations.ts'
import { acceptTransfer, cancelTransfer, offerTransfer, viewTransfer } from './transfers.ts'
import { viewInvitation } from './view-invitation.ts'
import { changeRole, chooseMails, leaveProject, listPeople, removeMember } from './members.ts'

const VIEW_REFUSALS = [
  'invalid_request',
  'forbidden_origin',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
] as const

// Why this is long: it registers many routes.
export function registerMemberRoutes(app: Http, deps: ProjectDeps, tools: HttpTools, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  // A person who used a recovery code cannot read live secrets for a day (recovery-wait.ts). Somebody to whom they give a
  // role could read the secrets, so they cannot grant roles during that day either.
  const delayed = { ...session, config: { ...session.config, stepUp: 'waits after recovery' } } as const
  const base = '/portal/api/projects/:id/members'
  const hidden = { hide: true, params: projectIdParams }

  app.get(base, { ...session, schema: { ...hidden, response: { 200: memberList } } }, async (req) => ({
    members: await listPeople(deps, guards.callerOf(req), req.params.id),
    transfer: await viewTransfer(deps.db, guards.callerOf(req), req.params.id),
  }))
  registerTransferRoutes(app, deps, guards)
  app.post(`${base}/invite`, { ...delayed, schema: { ...hidden, body: inviteBody } }, async (req, reply) => {
    const requested = { projectId: req.params.id, ...req.body }
    await inviteMember(deps, guards.sessionOf(req), requested, () => guards.requireStepUp(req))
    return reply.code(202).send()
  })
  app.post(
    `${base}/role`,
    { ...delayed, schema: { ...hidden, body: memberRoleBody } },
    async (req, reply) => {
      const requested = { projectId: req.params.id, ...req.body }
      await changeRole(deps, guards.callerOf(req), requested, () => guards.requireStepUp(req))
      return reply.code(204).send()
    },
  )
  app.post(
    `${base}/remove`,
    { ...session, schema: { ...hidden, body: removeMemberBody } },
    async (req, reply) => {
      const requested = { projectId: req.params.id, ...req.body }
      await removeMember(deps, guards.callerOf(req), requested, () => guards.requireStepUp(req))
      return reply.code(204).send()
    },
  )
  app.post(`${base}/leave`, { ...session, schema: { ...hidden, body: emptyBody } }, async (req, reply) => {
    await leaveProject(deps, guards.callerOf(req), req.params.id)
    return reply.code(204).send()
  })
  app.post(
    `${base}/mails`,
    { ...session, schema: { ...hidden, body: memberMailsBody } },
    async (req, reply) => {
      await chooseMails(deps, guards.callerOf(req), { projectId: req.params.id, ...req.body })
      return reply.code(204).send()
    },
  )
  // This route needs no session: a person should see what the invitation is for before signing in.
  app.post(
    '/portal/api/invitations/view',
    {
      config: { crossSiteCheck: 'always' },
      onRequest: tools.limits('SIGN_IN'),
      schema: {
        hide: true,
        body: tokenBody,
        response: { 200: invitationAnswer, ...refusals(...VIEW_REFUSALS) },
      },
    },
    async (req, reply) =>
      reply.header('cache-control', 'no-store').send(await viewInvitation(deps.db, req.body.token)),
  )
  app.post(
    '/portal/api/invitations/accept',
    { ...session, schema: { hide: true, body: tokenBody, response: { 200: project } } },
    async (req) =>
      toProjectView(await acceptInvitation(deps, guards.sessionOf(req), req.body.token), deps.config.baseUrl),
  )
}

function registerTransferRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const delayed = { ...session, config: { ...session.config, stepUp: 'waits after recovery' } } as const
  const base = '/portal/api/projects/:id/transfer'
  const hidden = { hide: true, params: projectIdParams }

  app.post(base, { ...delayed, schema: { ...hidden, body: memberBody } }, async (req, reply) => {
    const requested = { projectId: req.params.id, ...req.body }
    await offerTransfer(deps, guards.sessionOf(req), requested, () => guards.requireStepUp(req))
    return reply.code(202).send()
  })
  app.post(`${base}/accept`, { ...delayed, schema: { ...hidden, body: emptyBody } }, async (req, reply) => {
    await acceptTransfer(deps, guards.sessionOf(req), req.params.id, () => guards.requireStepUp(req))
    return reply.code(202).send()
  })
  app.post(`${base}/cancel`, { ...session, schema: { ...hidden, body: emptyBody } }, async (req, reply) => {
    await cancelTransfer(deps, guards.callerOf(req), req.params.id)
    return reply.code(204).send()
  })
}
