import type { EnvReader } from './env-reader.ts'

export interface AccountSettings {
  signUp: 'open' | 'closed'
  requireKyc: boolean
}

/**
 * In production, sign-up is closed by default. If it is open, the default is that the operator verifies new merchants before
 * their live payments.
 */
export function readAccounts(read: EnvReader, production: boolean): AccountSettings {
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open')
  return { signUp, requireKyc: read.flag('REQUIRE_KYC', production && signUp === 'open') }
}
