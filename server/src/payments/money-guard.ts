// The database records this installation's currency and scale. Links have amounts without a currency, so different settings
// would change the meaning of every link. Once a payment is stored, settings that differ from the record are refused until
// an operator has confirmed the change.
import { suspendRefundTokens } from '../accounts/api-tokens-store.ts'
import type { CurrencyAndScale, Installation } from '../db/installation-store.ts'
import { readInstallation, replaceCurrency } from '../db/installation-store.ts'
import type { Queryable } from '../db/pool.ts'
import { StartError } from '../lib/start-error.ts'
import { hasPayments } from './money-guard-store.ts'

export function toText({ currency, scale }: CurrencyAndScale): string {
  return `${currency}:${scale}`
}

function isSame(a: CurrencyAndScale, b: CurrencyAndScale): boolean {
  return a.currency === b.currency && a.scale === b.scale
}

/** False in a process that still runs with the settings from before a change. */
export async function isRecordedMoney(db: Queryable, money: CurrencyAndScale): Promise<boolean> {
  return isSame(await readInstallation(db, money), money)
}

/** Throws if the settings differ from the recorded ones. If no payment is stored yet, records the settings instead. */
export async function requireRecordedMoney(
  db: Queryable,
  recorded: Installation,
  settings: CurrencyAndScale,
): Promise<Installation> {
  if (isSame(recorded, settings)) return recorded
  if (await hasPayments(db))
    throw new StartError(
      `CURRENCY and AMOUNT_SCALE are ${toText(settings)}, but this database holds payments in ${toText(recorded)}. ` +
        `If that is intended, run: npm run pazar -- currency change ${toText(settings)} (docs/operate.md explains the consequences).`,
    )
  await replaceCurrency(db, settings)
  // A refund token can exist before the first payment. Its daily limit is an amount, which now means something else.
  await suspendRefundTokens(db)
  return { ...recorded, ...settings, scaleOfOldPayments: settings.scale, currencyChangedAt: null }
}
