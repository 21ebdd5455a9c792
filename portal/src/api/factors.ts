// Second factors of the account. No cache stores secrets or codes.
import { useQuery } from '@tanstack/react-query'
import type { AccountView, recoveryCodes, SecondFactor, totpOffer, totpState } from '@pazar/contract'
import { call } from './call.ts'
import { queryClient } from './session.ts'

const TOTP_KEY = ['totp']

export function useTotp() {
  return useQuery({
    queryKey: TOTP_KEY,
    queryFn: ({ signal }) => call<(typeof totpState)['_output']>('/portal/api/totp', undefined, { signal }),
  })
}

export async function reloadFactors(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: TOTP_KEY })
}

export type TotpOffer = (typeof totpOffer)['_output']
type Codes = (typeof recoveryCodes)['_output']

export async function offerTotp(): Promise<TotpOffer> {
  return call<TotpOffer>('/portal/api/totp', {})
}

export async function confirmTotp(code: string): Promise<string[]> {
  try {
    const { recoveryCodes: codes } = await call<Codes>('/portal/api/totp/confirm', { code })
    return codes
  } finally {
    // If the response is lost, the authenticator app may already be a second factor. The reload shows that it is, so that
    // the person does not delete the account from the app and lose access.
    void reloadFactors()
  }
}

export async function removeTotp(): Promise<void> {
  await call('/portal/api/totp/remove', {})
  await reloadFactors()
}

export async function renewCodes(): Promise<string[]> {
  const { recoveryCodes: codes } = await call<Codes>('/portal/api/recovery-codes', {})
  // The reload is not awaited, because the codes are shown only once and must not wait for another response.
  void reloadFactors()
  return codes
}

export async function keepFactors(): Promise<void> {
  await call('/portal/api/second-factor/keep', {})
  await reloadFactors()
}

export type SignInAnswer = { account: AccountView } | { secondFactor: SecondFactor[] }

export async function signInWithPassword(email: string, password: string): Promise<SignInAnswer> {
  return call<SignInAnswer>('/portal/api/sign-in', { email, password }, { asksForSignIn: false })
}

export async function signInWithCode(code: string): Promise<AccountView> {
  const { account } = await call<{ account: AccountView }>(
    '/portal/api/sign-in/code',
    { code },
    { asksForSignIn: false },
  )
  return account
}
