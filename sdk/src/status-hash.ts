// The field "hash" of a status check is a JWT, signed with the project's secret. Its payload may contain only the fields
// of the request and registered claims, so that a token made for another purpose is refused.
import { isAmount } from './amount.ts'
import { signJwt, verifyJwt } from './jwt.ts'
import type { JsonValue } from './strict-json.ts'

export interface StatusQuestion {
  readonly projectId: string
  readonly customId: string
  /** With an amount, the status check is true only if exactly this amount was paid. */
  readonly amount?: string | undefined
}

const REGISTERED_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

export function signStatusHash(question: StatusQuestion, secret: string): string {
  const { projectId, customId, amount } = question
  return signJwt({ projectId, customId, ...(amount === undefined ? {} : { amount }) }, secret)
}

export function verifyStatusHash(
  token: string,
  body: StatusQuestion,
  secret: string,
  nowSec: number,
): boolean {
  const result = verifyJwt(token, secret, { nowSec })
  if (!result.ok) return false
  const { projectId, customId, amount, ...rest } = result.payload
  if (!Object.keys(rest).every((claim) => REGISTERED_CLAIMS.includes(claim))) return false
  if (typeof projectId !== 'string' || typeof customId !== 'string') return false
  return projectId === body.projectId && customId === body.customId && isSameAmount(amount, body.amount)
}

// The token may contain the amount as text or as a whole number.
function isSameAmount(claim: JsonValue | undefined, amount: string | undefined): boolean {
  if (claim === undefined || amount === undefined) return claim === amount
  const claimed = typeof claim === 'number' && Number.isSafeInteger(claim) ? String(claim) : claim
  return isAmount(claimed) && claimed === amount
}
