// Once a customId is erased, its order is recognized by a keyed hash. The key is random and never changes. Without the
// key, a database dump does not reveal whether a guessed customId was paid.
import { createHmac } from 'node:crypto'
import type { Queryable } from '../../db/pool.ts'
import type { SealBox } from '../../lib/seal.ts'
import { ensureInstallationKey, findInstallationKey } from '../../secrets/installation-keys.ts'
import { isKeyOlderThan } from '../../secrets/installation-keys-store.ts'

export interface ErasedOrders {
  /** Null if there is no customId or no key. Before the key exists, nothing is erased. */
  toHash: (projectId: string, customId: string | null) => Buffer | null
  /** Reads the key if it has been created. True: this process has the key. */
  reload(): Promise<boolean>
  /** Creates the key if there is none. True once every process has had time to read it. */
  begin(): Promise<boolean>
}

const KEY = 'custom-id-hash'
/** Every process that serves requests looks for the key every minute, so all processes have the key when it is this old. */
const KNOWN_EVERYWHERE_MIN = 10
export const ERASED_ORDERS_KEY_POLL_MS = 60_000

export async function createErasedOrders(db: Queryable, box: SealBox): Promise<ErasedOrders> {
  let key = await findInstallationKey(db, box, KEY)
  return {
    toHash(projectId, customId) {
      if (key === null || customId === null) return null
      // A customId has no control characters, so the separator cannot be part of it.
      return createHmac('sha256', key).update(`${projectId}\n${customId}`).digest()
    },
    async reload() {
      key ??= await findInstallationKey(db, box, KEY)
      return key !== null
    },
    async begin() {
      key ??= await ensureInstallationKey(db, box, KEY)
      return isKeyOlderThan(db, KEY, KNOWN_EVERYWHERE_MIN)
    },
  }
}
