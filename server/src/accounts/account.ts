// The account of a person, a merchant or somebody who works for one, as the rest of the server uses it: without the
// password hash.
import type { AccountView } from '@pazar/contract'
import type { Locale } from '@pazar/words'

export type AccountId = string & { readonly brand: 'AccountId' }
export type Theme = AccountView['theme']

export interface Account {
  id: AccountId
  email: string
  emailConfirmedAt: Date | null
  /** Incremented with every password change. Step-ups and sign-ins that began with an older version are invalid. */
  credentialVersion: number
  locale: Locale
  timeZone: string
  theme: Theme
  kyc: AccountView['kyc']
  /** The account was created by an invitation while sign-up was closed, and may own no project until sign-up opens. */
  cameByInvitation: boolean
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
