// /sdk/project/*: the public contract for projects.
import {
  emptyBody,
  project,
  projectAddBody,
  projectIdBody,
  projectList,
  projectUpdateBody,
  secretAnswer,
} from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { refusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import type { ProjectDeps } from './deps.ts'
import { toProjectView } from './project.ts'
import {
  addProject,
  listProjects,
  requireProject,
  rotateLiveSecret,
  seeSecret,
  updateProject,
} from './projects.ts'

export function registerProjectRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { site: 'session' } } as const
  const ours = { tags: ['projects'], security: [{ session: [] }] }
  const always = [
    'invalid_request',
    'unauthenticated',
    'forbidden_origin',
    'unsupported_media_type',
    'payload_too_large',
    'rate_limited',
    'unavailable',
  ] as const

  app.post(
    '/sdk/project/add',
    {
      ...session,
      schema: {
        ...ours,
        summary: 'Register a project',
        body: projectAddBody,
        response: { 201: project, ...refusals(...always, 'invalid_url', 'too_many') },
      },
    },
    async (req, reply) =>
      reply.code(201).send(toProjectView(await addProject(deps, guards.callerOf(req), req.body))),
  )
  app.post(
    '/sdk/project/update',
    {
      ...session,
      schema: {
        ...ours,
        summary: 'Change a project',
        body: projectUpdateBody,
        response: { 200: project, ...refusals(...always, 'invalid_url', 'not_found', 'step_up_required') },
      },
    },
    async (req) =>
      toProjectView(
        await updateProject(deps, guards.callerOf(req), req.body, () => guards.requireStepUp(req)),
      ),
  )
  app.post(
    '/sdk/project/list',
    {
      ...session,
      schema: {
        ...ours,
        summary: 'List your projects',
        body: emptyBody,
        response: { 200: projectList, ...refusals(...always) },
      },
    },
    async (req) => {
      const { projects, limit } = await listProjects(deps, guards.callerOf(req))
      return { projects: projects.map(toProjectView), limit }
    },
  )
  app.post(
    '/sdk/project/get',
    {
      ...session,
      schema: {
        ...ours,
        summary: 'One project',
        body: projectIdBody,
        response: { 200: project, ...refusals(...always, 'not_found') },
      },
    },
    async (req) =>
      toProjectView(await requireProject(deps.db, guards.callerOf(req).account.id, req.body.projectId)),
  )
  const secretSchema = {
    ...ours,
    body: projectIdBody,
    response: { 200: secretAnswer, ...refusals(...always, 'not_found', 'step_up_required', 'kyc_required') },
  }
  app.post(
    '/sdk/project/seeSecret',
    { ...session, schema: { ...secretSchema, summary: 'Show the live secret (needs step-up)' } },
    async (req, reply) => {
      const secret = await seeSecret(deps, guards.callerOf(req), req.body.projectId, () =>
        guards.requireStepUp(req),
      )
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
  app.post(
    '/sdk/project/rotateSecret',
    { ...session, schema: { ...secretSchema, summary: 'Replace the live secret (needs step-up)' } },
    async (req, reply) => {
      const secret = await rotateLiveSecret(deps, guards.callerOf(req), req.body.projectId, () =>
        guards.requireStepUp(req),
      )
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
}
