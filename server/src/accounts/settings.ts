import type { Locale } from '@pazar/words'
import { invalidField } from '../lib/service-error.ts'
import type { Account, Theme } from './account.ts'
import { updateSettings } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import type { Caller } from './sessions.ts'

/** Offsets are refused, because PostgreSQL reads an offset such as +02:00 with the opposite sign. */
const ZONE_NAME = /^[A-Za-z]/

export function parseTimeZone(text: string): string {
  try {
    if (ZONE_NAME.test(text))
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    // `Intl` throws a RangeError for a zone that does not exist.
  }
  throw invalidField('timeZone', 'invalid_time_zone')
}

export interface SettingsChange {
  locale?: Locale | undefined
  timeZone?: string | undefined
  theme?: Theme | undefined
}

export async function changeSettings(
  deps: AccountDeps,
  caller: Caller,
  input: SettingsChange,
): Promise<Account> {
  const settings = {
    locale: input.locale ?? null,
    timeZone: input.timeZone === undefined ? null : parseTimeZone(input.timeZone),
    theme: input.theme ?? null,
  }
  return deps.db.transaction(async (tx) => {
    const account = await updateSettings(tx, caller.account.id, settings)
    const changes = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'account_updated', changes })
    return account
  })
}
