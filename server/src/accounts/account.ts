// The account of a merchant, as the rest of the server knows it. The password hash is never part of it.
import type { AccountView } from '@pazar/contract'
import type { Locale } from '@pazar/words'

export type AccountId = string & { readonly brand: 'AccountId' }
export type Theme = AccountView['theme']

export interface Account {
  id: AccountId
  email: string
  emailConfirmedAt: Date | null
  /** Counts password changes; whatever was granted under an older count is void. */
  credentialVersion: number
  locale: Locale
  timeZone: string
  theme: Theme
  kyc: AccountView['kyc']
}

export function toAccountView(account: Account): AccountView {
  return {
    id: account.id,
    email: account.email,
    emailConfirmed: account.emailConfirmedAt !== null,
    locale: account.locale,
    timeZone: account.timeZone,
    theme: account.theme,
    kyc: account.kyc,
  }
}
