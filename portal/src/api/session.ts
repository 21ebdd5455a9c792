// Who is signed in, in this tab and in the others.
import { QueryClient, useQuery } from '@tanstack/react-query'
import type { AccountView } from '@pazar/contract'
import { leaveUnasked } from '../app/drafts.ts'
import { facts } from '../app/facts.ts'
import { locale } from '../app/language.ts'
import { ApiError, GivenUp } from './api-error.ts'
import { call } from './call.ts'
import { gateStore, settleGate } from './gates.ts'

export interface Session {
  account: AccountView
  stepUpUntil: string | null
}

const SESSION_KEY = ['session']
/** Lists are asked for again when the reader comes back to the tab after this long. */
const FRESH_MS = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // A refusal is an answer; only silence and faults of the service are worth asking again.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.problem === null || error.problem.status >= 500),
    },
  },
})

if (facts.account)
  queryClient.setQueryData<Session>(SESSION_KEY, { account: facts.account, stepUpUntil: null })

/** Asks the service who is signed in; a lost session is asked for over the page. */
export async function reachSession(signal?: AbortSignal): Promise<Session> {
  const session = await call<Session>('/portal/api/session', undefined, signal ? { signal } : {})
  const known = findAccount()
  if (known && known.id !== session.account.id) leaveToOther()
  return session
}

export function useAccount(): AccountView {
  const { data } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => reachSession(signal),
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

export function keepAccount(account: AccountView): void {
  queryClient.setQueryData<Session>(SESSION_KEY, { account, stepUpUntil: null })
}

/** The id of the account that signed in, or that somebody signed out. */
type Message = { signedIn: string } | 'signed-out'
const tabs = new BroadcastChannel('pazar-session')

function tellTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of one origin has no target
  tabs.postMessage(message)
}

export function signInAddress(): string {
  const next = location.pathname + location.search
  return `/${locale}/sign-in?next=${encodeURIComponent(next)}`
}

/** The session is another account's by now: nothing of this page is theirs, and nothing typed here may be saved there. */
function leaveToOther(): void {
  leaveUnasked()
  location.replace(`/${locale}/projects`)
}

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const own = findAccount()
  if (!own) return
  if (data === 'signed-out') {
    leaveUnasked()
    location.replace(signInAddress())
  } else if (data.signedIn !== own.id) leaveToOther()
  // If this tab is asking for just that, it can go on.
  else if (gateStore.current() === 'sign-in') settleGate(true)
})

export function tellSignedIn(account: AccountView): void {
  keepAccount(account)
  tellTabs({ signedIn: account.id })
}

/** The session has ended with the account. */
export function leaveClosed(): void {
  tellTabs('signed-out')
  leaveUnasked()
  location.replace(`/${locale}/sign-in`)
}

/** Everything this tab knows goes with the session, so the next person starts from nothing. */
export async function signOut(): Promise<void> {
  try {
    await call('/portal/api/sign-out', {}, { gated: false })
  } catch (error) {
    // Already signed out is what was asked for.
    if (!(error instanceof GivenUp) && !(error instanceof ApiError && error.code === 'unauthenticated'))
      throw error
  }
  leaveClosed()
}
