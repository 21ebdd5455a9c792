import type { EnvReader } from './env-reader.ts'

export interface AccountSettings {
  signUp: 'open' | 'closed'
  requireKyc: boolean
}

/**
 * By default, nobody accepts live payments in production without the operator: either sign-up is closed and the operator
 * invites people, or it is open and the operator verifies them first.
 */
export function readAccounts(read: EnvReader, production: boolean): AccountSettings {
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open')
  return { signUp, requireKyc: read.flag('REQUIRE_KYC', production && signUp === 'open') }
}
