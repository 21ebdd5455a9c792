import type { Locale } from '@pazar/words'
import type { Queryable } from '../db/pool.ts'
import { invalidField } from '../lib/service-error.ts'
import type { Account, Theme } from './account.ts'
import { updateSettings } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import type { Caller } from './sessions.ts'
import { isKnownZone } from './time-zones-store.ts'

/** Offsets are refused, because PostgreSQL reads an offset such as +02:00 with the opposite sign. */
const ZONE_NAME = /^[A-Za-z]/

function findZoneName(text: string): string | null {
  try {
    return ZONE_NAME.test(text)
      ? new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
      : null
  } catch {
    // `Intl` throws a RangeError for a zone that does not exist.
    return null
  }
}

/**
 * Returns a name of the time zone that the database knows. For a renamed zone such as Europe/Kyiv, Node.js returns the old
 * name, but the database may know only the new name, so `text` is tried too.
 */
export async function parseTimeZone(db: Queryable, text: string): Promise<string> {
  const name = findZoneName(text)
  if (name !== null && (await isKnownZone(db, name))) return name
  if (name !== null && (await isKnownZone(db, text))) return text
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
    timeZone: input.timeZone === undefined ? null : await parseTimeZone(deps.db, input.timeZone),
    theme: input.theme ?? null,
  }
  return deps.db.transaction(async (tx) => {
    const account = await updateSettings(tx, caller.account.id, settings)
    const changes = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'account_updated', changes })
    return account
  })
}
