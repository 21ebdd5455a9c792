import type { FastifyRequest } from 'fastify'
import {
  examAnswer,
  examBody,
  projectIdParams,
  verifySignatureAnswer,
  verifySignatureBody,
} from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { describeForMember, roleRefusals } from '../http/openapi.ts'
import { localeOf } from '../http/request-locale.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { verifySignature } from './debugger/verify-signature.ts'
import { runExam } from './run-exam.ts'

const BASE = '/portal/api/projects/:id'

export function registerExamRoutes(app: Http, deps: CallbackDeps, tools: HttpTools, guards: Guards): void {
  const describe = (summary: string) => ({
    ...describeForMember('callbacks', summary),
    params: projectIdParams,
  })
  const accountIdOf = (req: FastifyRequest) => guards.callerOf(req).account.id
  const limitRuns = tools.limits('EXAM', accountIdOf)

  app.post(
    `${BASE}/exam`,
    {
      onRequest: guards.requireSession,
      // Runs are limited, because a run may send many requests to a URL of the caller's choice. A call that only reports
      // responses is not counted.
      preHandler: async (req, reply) => (req.body.answers ? undefined : limitRuns(req, reply)),
      config: { crossSiteCheck: 'after session', token: 'write' },
      schema: {
        ...describe('Run the integration exam, or get its requests to send them yourself'),
        body: examBody,
        response: { 200: examAnswer, ...roleRefusals('step_up_required') },
      },
    },
    async (req) =>
      runExam(deps, accountIdOf(req), { projectId: req.params.id, body: req.body, locale: localeOf(req) }),
  )
  app.post(
    `${BASE}/verify-signature`,
    {
      // Each call tries dozens of possible mistakes and could be used to guess a secret.
      onRequest: [guards.requireSession, tools.limits('VERIFY_SIGNATURE', accountIdOf)],
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        ...describe('Why the signature of a refused callback does not match'),
        body: verifySignatureBody,
        response: { 200: verifySignatureAnswer, ...roleRefusals() },
      },
    },
    async (req) =>
      verifySignature(deps, accountIdOf(req), {
        projectId: req.params.id,
        request: req.body,
        locale: localeOf(req),
      }),
  )
}
