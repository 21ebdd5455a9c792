// /portal/api/tokens: the API tokens of an account.
import { z } from 'zod'
import { TOKEN_DAYS_MAX, TOKEN_NAME_MAX } from './limits.ts'
import { amountInput, money, projectId, time, visibleName } from './values.ts'

/**
 * `write` includes `read`, but no refunds. `refund` includes `read`, and allows refunds in one project up to a daily limit.
 */
const tokenScope = z.enum(['read', 'write', 'refund'])

export const newTokenBody = z
  .strictObject({
    name: visibleName(TOKEN_NAME_MAX),
    scope: tokenScope,
    expiresInDays: z.int().min(1).max(TOKEN_DAYS_MAX),
    projectId: projectId.optional().describe('The only project that the token can use'),
    dailyCap: amountInput
      .optional()
      .describe('The most that the token can refund in a day (UTC), test refunds included'),
  })
  .refine(({ scope, projectId: id }) => scope !== 'refund' || id !== undefined, {
    path: ['projectId'],
    params: { code: 'required' },
  })
  .refine(({ scope, dailyCap }) => scope !== 'refund' || dailyCap !== undefined, {
    path: ['dailyCap'],
    params: { code: 'required' },
  })
  .refine(({ scope, dailyCap }) => scope === 'refund' || dailyCap === undefined, {
    path: ['dailyCap'],
    params: { code: 'refund_scope_only' },
  })
export const revokeTokenBody = z.strictObject({ id: z.uuid() })

export const newTokenAnswer = z.object({
  id: z.string(),
  name: z.string(),
  scope: tokenScope,
  projectId: projectId.nullable(),
  dailyCap: money.nullable(),
  expiresAt: time,
  token: z.string(),
})

export const tokenList = z.object({
  tokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scope: tokenScope,
      projectId: projectId.nullable(),
      dailyCap: money.nullable(),
      createdAt: time,
      expiresAt: time,
      lastUsedAt: time.nullable(),
      expired: z.boolean(),
    }),
  ),
})

export type TokenScope = z.infer<typeof tokenScope>
export type NewTokenBody = z.infer<typeof newTokenBody>
export type ApiTokenView = z.infer<typeof tokenList>['tokens'][number]
