import {
  emptyBody,
  project,
  projectAddBody,
  projectIdBody,
  projectList,
  projectUpdateBody,
  rotateSecretBody,
  secretAnswer,
} from '@pazar/contract'
import type { TokenScope } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { refusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import { requireProject } from './access.ts'
import type { ProjectDeps } from './deps.ts'
import { toProjectView } from './project.ts'
import { rotateLiveSecret, seeSecret } from './project-secrets.ts'
import { addProject, listProjects, updateProject } from './projects.ts'

const ERRORS_OF_EVERY_ROUTE = [
  'invalid_request',
  'unauthenticated',
  'forbidden_origin',
  'unsupported_media_type',
  'payload_too_large',
  'rate_limited',
  'unavailable',
] as const
const SCHEMA_OF_EVERY_ROUTE = { tags: ['projects'], security: [{ session: [] }, { token: [] }] }

const guardedBy = (guards: Guards, token: TokenScope) =>
  ({ onRequest: guards.requireSession, config: { crossSiteCheck: 'after session', token } }) as const

export function registerProjectRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  registerSettingsRoutes(app, deps, guards)
  registerSecretRoutes(app, deps, guards)
}

// Why this is long: it registers many routes.
function registerSettingsRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const [reads, writes] = [guardedBy(guards, 'read'), guardedBy(guards, 'write')]

  app.post(
    '/sdk/project/add',
    {
      ...writes,
      schema: {
        ...SCHEMA_OF_EVERY_ROUTE,
        summary: 'Create a project',
        body: projectAddBody,
        response: {
          201: project,
          ...refusals(
            ...ERRORS_OF_EVERY_ROUTE,
            'invalid_url',
            'too_many',
            'step_up_required',
            'sign_up_closed',
          ),
        },
      },
    },
    async (req, reply) =>
      reply
        .code(201)
        .send(toProjectView(await addProject(deps, guards.callerOf(req), req.body), deps.config.baseUrl)),
  )
  app.post(
    '/sdk/project/update',
    {
      ...writes,
      schema: {
        ...SCHEMA_OF_EVERY_ROUTE,
        summary: 'Change a project',
        body: projectUpdateBody,
        response: {
          200: project,
          ...refusals(
            ...ERRORS_OF_EVERY_ROUTE,
            'invalid_url',
            'not_found',
            'forbidden_role',
            'step_up_required',
          ),
        },
      },
    },
    async (req) =>
      toProjectView(
        await updateProject(deps, guards.callerOf(req), req.body, () => guards.requireStepUp(req)),
        deps.config.baseUrl,
      ),
  )
  app.post(
    '/sdk/project/list',
    {
      ...reads,
      schema: {
        ...SCHEMA_OF_EVERY_ROUTE,
        summary: 'List your projects',
        body: emptyBody,
        response: { 200: projectList, ...refusals(...ERRORS_OF_EVERY_ROUTE) },
      },
    },
    async (req) => {
      const { projects, limit } = await listProjects(deps, guards.callerOf(req))
      return { projects: projects.map((one) => toProjectView(one, deps.config.baseUrl)), limit }
    },
  )
  app.post(
    '/sdk/project/get',
    {
      ...reads,
      schema: {
        ...SCHEMA_OF_EVERY_ROUTE,
        summary: 'One project',
        body: projectIdBody,
        response: { 200: project, ...refusals(...ERRORS_OF_EVERY_ROUTE, 'not_found') },
      },
    },
    async (req) =>
      toProjectView(
        await requireProject(deps.db, guards.callerOf(req).account.id, req.body.projectId, 'read'),
        deps.config.baseUrl,
      ),
  )
}

function registerSecretRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const reads = guardedBy(guards, 'read')
  // API tokens pass the guard and are refused at the step-up, so that the error says why they are refused.
  const secretSchema = {
    ...SCHEMA_OF_EVERY_ROUTE,
    security: [{ session: [] }],
    body: projectIdBody,
    response: {
      200: secretAnswer,
      ...refusals(
        ...ERRORS_OF_EVERY_ROUTE,
        'not_found',
        'forbidden_role',
        'step_up_required',
        'kyc_required',
      ),
    },
  }
  app.post(
    '/sdk/project/seeSecret',
    {
      ...reads,
      config: { ...reads.config, stepUp: 'waits after recovery' },
      schema: {
        ...secretSchema,
        summary:
          'Show the live secret (confirm it is you first); the test secret is on the portal’s Secrets page',
      },
    },
    async (req, reply) => {
      const secret = await seeSecret(deps, guards.callerOf(req), req.body.projectId, () =>
        guards.requireStepUp(req),
      )
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
  app.post(
    '/sdk/project/rotateSecret',
    {
      ...reads,
      config: { ...reads.config, stepUp: 'waits after recovery' },
      schema: {
        ...secretSchema,
        body: rotateSecretBody,
        summary: 'Rotate the live secret (confirm it is you first)',
      },
    },
    async (req, reply) => {
      const secret = await rotateLiveSecret(deps, guards.callerOf(req), req.body, () =>
        guards.requireStepUp(req),
      )
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
}
