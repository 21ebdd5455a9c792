import { promptAnswer, promptBody } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { refusals } from '../http/openapi.ts'
import { localeOf } from '../http/request-locale.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { answerPrompt } from './assistant.ts'
import type { AssistantDeps } from './deps.ts'

export function registerAssistantRoutes(
  app: Http,
  deps: AssistantDeps,
  tools: HttpTools,
  guards: Guards,
): void {
  // A request is counted before its body is read, so invalid questions count too.
  const limit = tools.limits('AI_PROMPT', (req) => guards.callerOf(req).account.id)

  app.post(
    '/sdk/ai/prompt',
    {
      onRequest: [guards.requireSession, limit],
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        tags: ['assistant'],
        security: [{ session: [] }, { token: [] }],
        summary: 'Ask about the integration',
        body: promptBody,
        response: {
          200: promptAnswer,
          ...refusals(
            'invalid_request',
            'unauthenticated',
            'forbidden_origin',
            'not_found',
            'unsupported_media_type',
            'payload_too_large',
            'rate_limited',
            'unavailable',
          ),
        },
      },
    },
    async (req) => {
      const locale = req.body.locale ?? localeOf(req)
      return answerPrompt(deps, guards.callerOf(req).account.id, { ...req.body, locale })
    },
  )
}
