// /portal/api/tokens: tokens with which an owner's programs call the routes that allow them.
import { z } from 'zod'
import { TOKEN_DAYS_MAX, TOKEN_NAME_MAX } from './limits.ts'
import { time, visibleName } from './values.ts'

/** `read` changes nothing and signs test links only; `write` allows everything that a token can do. */
export const tokenScope = z.enum(['read', 'write'])

export const newTokenBody = z.strictObject({
  name: visibleName(TOKEN_NAME_MAX),
  scope: tokenScope,
  expiresInDays: z.int().min(1).max(TOKEN_DAYS_MAX),
})
export const revokeTokenBody = z.strictObject({ id: z.uuid() })

export const newTokenAnswer = z.object({
  id: z.string(),
  name: z.string(),
  scope: tokenScope,
  expiresAt: time,
  token: z.string(),
})

export const tokenList = z.object({
  tokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scope: tokenScope,
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
