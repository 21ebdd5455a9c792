import type { EnvReader } from './env-reader.ts'

export interface AccountSettings {
  signUp: 'open' | 'closed'
  requireKyc: boolean
}

/** By default in production, either sign-up is closed, or the operator verifies new merchants before live payments. */
export function readAccounts(read: EnvReader, production: boolean): AccountSettings {
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open')
  return { signUp, requireKyc: read.flag('REQUIRE_KYC', production && signUp === 'open') }
}
