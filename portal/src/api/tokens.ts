// API tokens of the account. The query cache stores the list of tokens, but never the text of a token.
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

export function useWorkingTokenCount(): { count: number | null; error: unknown } {
  const { data, error } = useTokens()
  return { count: data?.tokens.filter((one) => !one.expired).length ?? null, error }
}

async function reloadTokens(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: TOKENS_KEY })
}

/** Returns the token, which cannot be read again. */
export async function createToken(body: NewTokenBody): Promise<string> {
  try {
    const { token } = await call<(typeof newTokenAnswer)['_output']>('/portal/api/tokens', body)
    return token
  } finally {
    // Reloads even after a lost response, so that the user can revoke a token that was never shown.
    void reloadTokens()
  }
}

export async function revokeToken(id: string): Promise<void> {
  await call('/portal/api/tokens/revoke', { id })
  await reloadTokens()
}

export async function changePassword(change: { password: string; revokeTokens: boolean }): Promise<void> {
  await call('/portal/api/password', change)
  if (change.revokeTokens) void reloadTokens()
}
