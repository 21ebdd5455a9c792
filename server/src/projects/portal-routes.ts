import {
  project,
  nextSecretAnswer,
  nextSecretState,
  projectIdParams,
  secretAnswer,
  emptyBody,
} from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { Http } from '../http/server.ts'
import type { NextSecret } from '../secrets/next-secrets-store.ts'
import type { ProjectDeps } from './deps.ts'
import { dropNextSecret, prepareNextSecret, showNextSecret } from './next-secret.ts'
import { toProjectView } from './project.ts'
import { readTestSecret, rotateTestSecret } from './project-secrets.ts'
import { archiveProject, restoreProject } from './projects.ts'

export function registerProjectPortalRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const base = '/portal/api/projects/:id'
  const hidden = { hide: true, params: projectIdParams }

  app.get(
    `${base}/test-secret`,
    { ...session, schema: { ...hidden, response: { 200: secretAnswer } } },
    async (req, reply) => {
      const secret = await readTestSecret(deps, guards.callerOf(req), req.params.id)
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
  app.post(
    `${base}/test-secret/rotate`,
    { ...session, schema: { ...hidden, body: emptyBody, response: { 200: secretAnswer } } },
    async (req, reply) => {
      const secret = await rotateTestSecret(deps, guards.callerOf(req), req.params.id)
      return reply.header('cache-control', 'no-store').send({ secret })
    },
  )
  registerNextSecretRoutes(app, deps, guards)
  app.post(
    `${base}/archive`,
    { ...session, schema: { ...hidden, body: emptyBody, response: { 200: project } } },
    async (req) =>
      toProjectView(
        await archiveProject(deps, guards.callerOf(req), req.params.id, () => guards.requireStepUp(req)),
        deps.config.baseUrl,
      ),
  )
  app.post(
    `${base}/restore`,
    { ...session, schema: { ...hidden, body: emptyBody, response: { 200: project } } },
    async (req) =>
      toProjectView(
        await restoreProject(deps, guards.callerOf(req), req.params.id, () => guards.requireStepUp(req)),
        deps.config.baseUrl,
      ),
  )
}

function registerNextSecretRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const path = '/portal/api/projects/:id/next-secret'
  const hidden = { hide: true, params: projectIdParams }
  app.get(path, { ...session, schema: { ...hidden, response: { 200: nextSecretState } } }, async (req) => {
    const next = await showNextSecret(deps, guards.callerOf(req), req.params.id)
    return { next: next && toTimes(next) }
  })
  app.post(
    path,
    {
      ...session,
      config: { ...session.config, stepUp: 'waits after recovery' },
      schema: { ...hidden, body: emptyBody, response: { 201: nextSecretAnswer } },
    },
    async (req, reply) => {
      const { secret, ...next } = await prepareNextSecret(deps, guards.callerOf(req), req.params.id, () =>
        guards.requireStepUp(req),
      )
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ secret, ...toTimes(next) })
    },
  )
  app.post(`${path}/discard`, { ...session, schema: { ...hidden, body: emptyBody } }, async (req, reply) => {
    await dropNextSecret(deps, guards.callerOf(req), req.params.id)
    return reply.code(204).send()
  })
}

function toTimes({ preparedAt, expiresAt }: NextSecret): { preparedAt: string; expiresAt: string } {
  return { preparedAt: preparedAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
