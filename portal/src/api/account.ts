import type { AccountView } from '@pazar/contract'
import { call } from './call.ts'
import { cacheAccount } from './session.ts'

export type AccountChange = Partial<Pick<AccountView, 'locale' | 'theme' | 'timeZone'>>

let lastChange: Promise<unknown> = Promise.resolve()

/** Saves one change at a time, so that the last choice is the one that stays. */
export async function changeAccount(change: AccountChange): Promise<AccountView> {
  const save = () => saveAccount(change)
  const saved = lastChange.then(save, save)
  lastChange = saved
  return saved
}

async function saveAccount(change: AccountChange): Promise<AccountView> {
  const account = await call<AccountView>('/portal/api/account', change)
  cacheAccount(account)
  showTheme(account.theme)
  return account
}

export function showTheme(theme: AccountView['theme']): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
