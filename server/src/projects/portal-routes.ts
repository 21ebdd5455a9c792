// Project routes used by the portal only: test secret, archive and restore, history of changes.
import {
  project,
  projectHistory,
  projectIdParams,
  secretAnswer,
  auditQuery,
  emptyBody,
} from '@pazar/contract'
import { listAudit } from '../accounts/audit.ts'
import type { Guards } from '../accounts/guards.ts'
import type { Http } from '../http/server.ts'
import { requireProject } from './access.ts'
import type { ProjectDeps } from './deps.ts'
import { toProjectView } from './project.ts'
import { archiveProject, readTestSecret, restoreProject, rotateTestSecret } from './projects.ts'

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
  app.get(
    `${base}/history`,
    { ...session, schema: { ...hidden, querystring: auditQuery, response: { 200: projectHistory } } },
    async (req) => {
      const { account } = guards.callerOf(req)
      const { id } = await requireProject(deps.db, account.id, req.params.id, 'read')
      const { items, nextCursor } = await listAudit(deps.db, { projectId: id }, req.query)
      return {
        items: items.map(({ at, action, actor, person, changes }) => ({
          at: at.toISOString(),
          action,
          actor,
          person,
          changes: { ...changes },
        })),
        nextCursor,
      }
    },
  )
}
