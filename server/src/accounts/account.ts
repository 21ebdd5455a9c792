// A person's account, without the password hash.
import type { AccountView } from '@pazar/contract'
import type { Locale } from '@pazar/words'

export type AccountId = string & { readonly brand: 'AccountId' }
export type Theme = AccountView['theme']

export interface Account {
  id: AccountId
  email: string
  emailConfirmedAt: Date | null
  /** Incremented with each password change, which makes older step-ups and unfinished sign-ins invalid. */
  credentialVersion: number
  locale: Locale
  timeZone: string
  theme: Theme
  kyc: AccountView['kyc']
  /**
   * True if the person signed up with an invitation to a project while sign-up was closed, and the operator has not
   * invited them since. While sign-up is closed, such an account may own no project.
   */
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
