// The signed-in account, in this tab and in the others.
import { QueryClient, useQuery } from '@tanstack/react-query'
import type { AccountView, SecondFactor } from '@pazar/contract'
import { allowLeaving } from '../ui/drafts.ts'
import { pageData } from './page-data.ts'
import { locale } from '../ui/language.ts'
import { ApiError, hasCode } from './api-error.ts'
import { call } from './call.ts'
import { gateStore, settleGate } from './gates.ts'

export interface Session {
  account: AccountView
  /** Empty until the session has been read. */
  stepUpWith: ('password' | SecondFactor)[]
}

const SESSION_KEY = ['session']
/** Data older than this is reloaded when the user returns to the tab. Lists of rows are not reloaded then. */
const FRESH_MS = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // After a 4xx there is no retry, because the response would be the same.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.problem === null || error.problem.status >= 500),
    },
  },
})

if (pageData.account)
  queryClient.setQueryData<Session>(SESSION_KEY, {
    account: pageData.account,
    stepUpWith: [],
  })

/** Without a session, a dialog asks the user to sign in. */
export async function fetchSession(signal?: AbortSignal): Promise<Session> {
  const session = await call<Session>('/portal/api/session', undefined, signal ? { signal } : {})
  const cachedAccount = findAccount()
  if (cachedAccount && cachedAccount.id !== session.account.id) reloadAsOtherAccount()
  return session
}

export function useAccount(): AccountView {
  const { data } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => fetchSession(signal),
  })
  if (!data) throw new Error('Nobody is signed in on this page.')
  return data.account
}

export async function reloadSession(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: SESSION_KEY })
}

export function findAccount(): AccountView | null {
  return queryClient.getQueryData<Session>(SESSION_KEY)?.account ?? null
}

export function cacheAccount(account: AccountView): void {
  queryClient.setQueryData<Session>(SESSION_KEY, { account, stepUpWith: [] })
}

type Message = { signedIn: string } | 'signed-out'
const tabs = new BroadcastChannel('pazar-session')

function notifyTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of one origin has no target
  tabs.postMessage(message)
}

export function toSignInUrl(): string {
  const next = location.pathname + location.search
  return `/${locale}/sign-in?next=${encodeURIComponent(next)}`
}

/** The session now belongs to another account, which must neither see this page nor save what was typed. */
function reloadAsOtherAccount(): void {
  allowLeaving()
  location.replace(`/${locale}/projects`)
}

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const account = findAccount()
  if (!account) return
  if (data === 'signed-out') {
    allowLeaving()
    location.replace(toSignInUrl())
  } else if (data.signedIn !== account.id) reloadAsOtherAccount()
  // A tab that waits for this sign-in can continue.
  else if (gateStore.current() === 'sign-in') settleGate(true)
})

export function announceSignIn(account: AccountView): void {
  cacheAccount(account)
  notifyTabs({ signedIn: account.id })
}

/**
 * After the user has signed in again in the dialog, repeats the waiting requests. If the user has signed in to another
 * account, which a passkey can do, opens the projects of that account instead.
 */
export function continueAs(account: AccountView): void {
  const cachedAccount = findAccount()
  if (cachedAccount && cachedAccount.id !== account.id) {
    notifyTabs({ signedIn: account.id })
    return reloadAsOtherAccount()
  }
  announceSignIn(account)
  settleGate(true)
}

/** Opens the sign-in page in every tab. In this tab, the sign-in leads to `next`. */
export function goToSignIn(next?: string): void {
  notifyTabs('signed-out')
  allowLeaving()
  location.replace(`/${locale}/sign-in${next ? `?next=${encodeURIComponent(next)}` : ''}`)
}

/** Leaves the page, so that everything in memory is dropped before the next user signs in. */
export async function signOut(next?: string): Promise<void> {
  try {
    await call('/portal/api/sign-out', {}, { asksForSignIn: false })
  } catch (error) {
    // With the code `unauthenticated`, the user is already signed out.
    if (!hasCode(error, 'unauthenticated')) throw error
  }
  goToSignIn(next)
}
