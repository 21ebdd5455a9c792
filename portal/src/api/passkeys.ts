// Passkeys of the account. The browser's part of WebAuthn is loaded on first use.
import { useQuery } from '@tanstack/react-query'
import type { AccountView, newPasskeyAnswer, passkeyList } from '@pazar/contract'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from './call.ts'
import type { CallOptions } from './call.ts'
import { reloadFactors } from './factors.ts'
import { queryClient } from './session.ts'

const PASSKEYS_KEY = ['passkeys']

/** Thrown, for example, if the person closed the browser's dialog, or if the device has no passkey. */
export class PasskeyError extends Error {}

async function askBrowser<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch {
    // Browsers do not say why a passkey failed, so that no site learns which passkeys somebody has.
    throw new PasskeyError()
  }
}

export function usePasskeys() {
  return useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) =>
      call<(typeof passkeyList)['_output']>('/portal/api/passkeys', undefined, { signal }),
  })
}

async function reload(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: PASSKEYS_KEY }), reloadFactors()])
}

/** Returns recovery codes if the account had no second factor before, otherwise null. */
export async function addPasskey(name: string): Promise<string[] | null> {
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('/portal/api/passkeys/options', {})
  const response = await askBrowser(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return startRegistration({ optionsJSON })
  })
  try {
    const answer = await call<(typeof newPasskeyAnswer)['_output']>('/portal/api/passkeys', {
      name,
      response,
    })
    return answer.recoveryCodes
  } finally {
    // Reloads even after a lost response, because the passkey may have been added.
    void reload()
  }
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await call('/portal/api/passkeys/rename', { id, name })
  await reload()
}

export async function removePasskey(id: string): Promise<void> {
  await call('/portal/api/passkeys/revoke', { id })
  await reload()
}

/** Passkeys are also used in dialogs, and a dialog must not open another dialog. */
const WITHOUT_DIALOG: CallOptions = { asksForSignIn: false }

async function authenticateAt<T>(
  path: '/portal/api/sign-in/passkey' | '/portal/api/step-up/passkey',
): Promise<T> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>(`${path}/options`, {}, WITHOUT_DIALOG)
  const response = await askBrowser(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    return startAuthentication({ optionsJSON })
  })
  return call<T>(path, { response }, WITHOUT_DIALOG)
}

export async function signInWithPasskey(): Promise<AccountView> {
  return (await authenticateAt<{ account: AccountView }>('/portal/api/sign-in/passkey')).account
}

export async function stepUpWithPasskey(): Promise<void> {
  await authenticateAt('/portal/api/step-up/passkey')
}
