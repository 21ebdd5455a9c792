// The single row of this installation: its id, currency and scale, and how callbacks are stored.
import type { Queryable, Tx } from './pool.ts'
import { statement } from './pool.ts'

export interface CurrencyAndScale {
  currency: string
  scale: number
}

export interface Installation extends CurrencyAndScale {
  id: string
  /** The scale of amounts that were stored without one. */
  scaleOfOldPayments: number
  currencyChangedAt: Date | null
}

// Before this row existed, amounts were stored without a scale. The scale that is recorded first applies to these
// amounts.
const RECORD = statement(
  'installation.record',
  `update installation set currency = $1, amount_scale = $2, unstored_scale = $2 where currency is null`,
)
const READ = statement(
  'installation.read',
  `select id, currency, amount_scale as scale, unstored_scale as "scaleOfOldPayments", currency_changed_at as "currencyChangedAt"
   from installation`,
)

export async function readInstallation(db: Queryable, money: CurrencyAndScale): Promise<Installation> {
  await db.query(RECORD, [money.currency, money.scale])
  const [row] = await db.query<Installation>(READ)
  return row!
}

const LOCK = statement(
  'installation.lock',
  'select currency, amount_scale as scale from installation for update',
)

export async function lockInstallation(tx: Tx): Promise<CurrencyAndScale> {
  const [row] = await tx.query<CurrencyAndScale>(LOCK)
  return row!
}

const REPLACE = statement(
  'installation.replace',
  'update installation set currency = $1, amount_scale = $2, unstored_scale = $2, currency_changed_at = null',
)

/** For an installation that has stored no amount yet. */
export async function replaceCurrency(db: Queryable, money: CurrencyAndScale): Promise<void> {
  await db.query(REPLACE, [money.currency, money.scale])
}

const CHANGE = statement(
  'installation.change',
  `update installation set currency = $1, amount_scale = $2, currency_changed_at = now()
   where (currency, amount_scale) is distinct from ($1, $2::smallint) returning id`,
)

export async function changeCurrency(db: Queryable, money: CurrencyAndScale): Promise<boolean> {
  return (await db.query(CHANGE, [money.currency, money.scale])).length > 0
}

const IS_COMPACT = statement(
  'installation.is_compact',
  'select compact_callbacks as "isCompact" from installation',
)

/** Whether callbacks are inserted in the compact form (callbacks/new-callbacks-store.ts). */
export async function hasCompactCallbacks(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isCompact: boolean }>(IS_COMPACT)
  return row!.isCompact
}

const SET_COMPACT = statement(
  'installation.set_compact',
  'update installation set compact_callbacks = $1 where compact_callbacks <> $1 returning id',
)

/** The row must be locked. Returns false if nothing changes. */
export async function setCompactCallbacks(tx: Tx, isCompact: boolean): Promise<boolean> {
  return (await tx.query(SET_COMPACT, [isCompact])).length > 0
}
