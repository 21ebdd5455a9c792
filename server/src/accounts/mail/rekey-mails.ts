// Seals the links of queued mails again with the current master key, in batches, while the service runs. Without it, a
// mail that is still queued when the old key is removed could never be sent.
import type { Db, Tx } from '../../db/pool.ts'
import type { SealBox } from '../../lib/seal.ts'
import { listSealedMails, resealMail } from './mails-store.ts'

/** Few, because the rows of a batch are locked while it is sealed again, and the mail worker skips them. */
const BATCH = 100

interface RekeyDeps {
  db: Db
  mailTokens: SealBox
}

async function reseal(deps: RekeyDeps, tx: Tx, mail: { id: string; sealedToken: Buffer }): Promise<boolean> {
  if (deps.mailTokens.isCurrent(mail.sealedToken)) return false
  const token = deps.mailTokens.open(mail.sealedToken, mail.id)
  // The key that sealed this link's token is gone, so the mail cannot be sent. The worker gives it up.
  if (token === null) return false
  await resealMail(tx, mail.id, deps.mailTokens.seal(token, mail.id))
  return true
}

/** Returns how many were sealed again. */
export async function rekeyMails(deps: RekeyDeps): Promise<number> {
  let changed = 0
  let afterId: string | null = null
  for (;;) {
    const startId = afterId
    const mails = await deps.db.transaction(async (tx) => {
      const found = await listSealedMails(tx, startId, BATCH)
      for (const mail of found) if (await reseal(deps, tx, mail)) changed += 1
      return found
    })
    const last = mails.at(-1)
    if (!last) return changed
    afterId = last.id
  }
}
