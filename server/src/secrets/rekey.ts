// Seals the secrets of all projects again with the current master key, in batches, while the service runs.
import type { Mode } from '@pazar/contract'
import type { Db } from '../db/pool.ts'
import type { SecretDeps } from './secrets.ts'
import { openSecret, sealSecret } from './secrets.ts'
import { lockSecretsToReseal, resealSecret } from './secrets-store.ts'

const BATCH_SIZE = 100

export async function rekeySecrets(deps: SecretDeps & { db: Db }): Promise<number> {
  let changed = 0
  let after: { projectId: string; mode: Mode } | null = null
  for (;;) {
    const pageStart = after
    const rows = await deps.db.transaction(async (tx) => {
      const found = await lockSecretsToReseal(tx, pageStart, BATCH_SIZE)
      for (const row of found) {
        if (deps.secretBox.isCurrent(row.sealed)) continue
        const plain = openSecret(deps, row.projectId, row.mode, row)
        await resealSecret(
          tx,
          row.projectId,
          row.mode,
          sealSecret(deps, row.projectId, row.mode, row.version, plain),
        )
        changed += 1
      }
      return found
    })
    const last = rows.at(-1)
    if (!last) return changed
    after = last
  }
}
