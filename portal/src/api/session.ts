// Who is signed in, in this tab and in the others.
import { QueryClient, useQuery } from '@tanstack/react-query'
import type { AccountView } from '@pazar/contract'
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

export function useAccount(): AccountView {
  const { data } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => call<Session>('/portal/api/session', undefined, { signal }),
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

type Message = 'signed-in' | 'signed-out'
const tabs = new BroadcastChannel('pazar-session')

function tellTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of one origin has no target
  tabs.postMessage(message)
}

export function signInAddress(): string {
  const next = location.pathname + location.search
  return `/${locale}/sign-in?next=${encodeURIComponent(next)}`
}

/** Another tab signed in: if this one is asking for that, it can go on. */
async function goOnIfSameAccount(): Promise<void> {
  if (gateStore.current() !== 'sign-in') return
  const session = await call<Session>('/portal/api/session', undefined, { gated: false })
  if (session.account.id === findAccount()?.id) settleGate(true)
}

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data === 'signed-out' && findAccount()) location.replace(signInAddress())
  // The dialog stays open if this fails, and the person can still sign in by hand.
  if (data === 'signed-in') void goOnIfSameAccount().catch(() => undefined)
})

export function tellSignedIn(account: AccountView): void {
  keepAccount(account)
  tellTabs('signed-in')
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
  tellTabs('signed-out')
  location.replace(`/${locale}/sign-in`)
}
