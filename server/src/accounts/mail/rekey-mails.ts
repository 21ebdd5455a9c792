// Seals the links of queued mails again with the current master key, while the service runs.
import type { Db, Tx } from '../../db/pool.ts'
import type { SealBox } from '../../lib/seal.ts'
import { listSealedMails, resealMail } from './mails-store.ts'

/** Small, because the mail worker skips the locked rows of a batch. */
const BATCH = 100

interface RekeyDeps {
  db: Db
  mailTokens: SealBox
}

async function reseal(deps: RekeyDeps, tx: Tx, mail: { id: string; sealedToken: Buffer }): Promise<boolean> {
  if (deps.mailTokens.isCurrent(mail.sealedToken)) return false
  const token = deps.mailTokens.open(mail.sealedToken, mail.id)
  // The key of this token is gone, so the mail cannot be sent.
  if (token === null) return false
  await resealMail(tx, mail.id, deps.mailTokens.seal(token, mail.id))
  return true
}

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
