// API tokens of the account. A token's own text goes from the answer to the dialog that shows it, and into no cache.
import { useQuery } from '@tanstack/react-query'
import type { newTokenAnswer, NewTokenBody, tokenList } from '@pazar/contract'
import { call } from './call.ts'
import { queryClient } from './session.ts'

const TOKENS_KEY = ['tokens']

export function useTokens() {
  return useQuery({
    queryKey: TOKENS_KEY,
    queryFn: ({ signal }) => call<(typeof tokenList)['_output']>('/portal/api/tokens', undefined, { signal }),
  })
}

/** 0 until it is known. */
export function useWorkingTokenCount(): number {
  return useTokens().data?.tokens.filter((one) => !one.expired).length ?? 0
}

async function reloadTokens(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: TOKENS_KEY })
}

/** The token itself, which nobody can ask for again. */
export async function makeToken(wish: NewTokenBody): Promise<string> {
  const { token } = await call<(typeof newTokenAnswer)['_output']>('/portal/api/tokens', wish)
  void reloadTokens()
  return token
}

export async function revokeToken(id: string): Promise<void> {
  await call('/portal/api/tokens/revoke', { id })
  await reloadTokens()
}

export async function changePassword(change: { password: string; revokeTokens: boolean }): Promise<void> {
  await call('/portal/api/password', change)
  if (change.revokeTokens) await reloadTokens()
}
