import type { EnvReader } from './env-reader.ts'

export interface AccountSettings {
  signUp: 'open' | 'closed'
  requireKyc: boolean
}

/** In production the defaults let nobody sign up or accept live payments without the operator's approval. */
export function readAccounts(read: EnvReader, production: boolean): AccountSettings {
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open')
  return { signUp, requireKyc: read.flag('REQUIRE_KYC', production && signUp === 'open') }
}
