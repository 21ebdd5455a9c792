// Seals the second factors again with the current master key, in batches, while the service runs.
import type { Db } from '../db/pool.ts'
import { listFactorKeyIds, listSealedFactors, resealFactor, SEALED_FACTORS } from './factor-seals-store.ts'
import type { SealedFactor } from './factor-seals-store.ts'
import type { FactorSecrets } from './factor-secrets.ts'

const BATCH = 100

type Kind = (typeof SEALED_FACTORS)[number]

async function rekeyKind(deps: { db: Db; factorSecrets: FactorSecrets }, kind: Kind): Promise<number> {
  let changed = 0
  let after: SealedFactor | null = null
  for (;;) {
    const pageStart = after
    const rows = await deps.db.transaction(async (tx) => {
      const found = await listSealedFactors(tx, kind, pageStart, BATCH)
      for (const row of found) {
        const sealedAs = kind === 'recovery' ? 'recovery' : 'totp'
        const resealed = deps.factorSecrets.reseal(sealedAs, row.accountId, row.sealed)
        if (resealed !== null && (await resealFactor(tx, kind, row, resealed))) changed += 1
      }
      return found
    })
    const last = rows.at(-1)
    if (!last) return changed
    after = last
  }
}

export async function rekeyFactors(deps: { db: Db; factorSecrets: FactorSecrets }): Promise<number> {
  let changed = 0
  for (const kind of SEALED_FACTORS) changed += await rekeyKind(deps, kind)
  return changed
}

/**
 * True if some factors are sealed with a key that is not configured. Then even a correct code counts as wrong, so the
 * owners of these factors cannot sign in.
 */
export async function hasLostFactors(deps: { db: Db; factorSecrets: FactorSecrets }): Promise<boolean> {
  const ids = await listFactorKeyIds(deps.db)
  return !ids.every((id) => deps.factorSecrets.isKnown(id))
}
