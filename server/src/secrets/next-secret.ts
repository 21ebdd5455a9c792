// A live secret that is prepared before a rotation. Nothing is signed or verified with it until it is promoted.
import { NEXT_SECRET_MAX_HOURS } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Db, Tx } from '../db/pool.ts'
import { issueSecret } from './issue.ts'
import type { NextSecret } from './next-secrets-store.ts'
import * as store from './next-secrets-store.ts'
import type { SecretDeps } from './secrets.ts'
import { replaceWith } from './secrets.ts'

function sealContext(projectId: string): string {
  return `next-secret/${projectId}`
}

function seal(deps: SecretDeps, projectId: string, plain: string): Buffer {
  return deps.secretBox.seal(Buffer.from(plain), sealContext(projectId))
}

function open(deps: SecretDeps, projectId: string, sealed: Buffer): string {
  const plain = deps.secretBox.open(sealed, sealContext(projectId))
  if (!plain)
    throw new Error(`the next secret of project ${projectId} cannot be opened with the configured keys`)
  return plain.toString('utf8')
}

export async function prepareSecret(
  deps: SecretDeps,
  tx: Tx,
  projectId: string,
  preparedBy: AccountId,
): Promise<NextSecret & { secret: string }> {
  const secret = issueSecret('live')
  const sealed = seal(deps, projectId, secret)
  const hours = NEXT_SECRET_MAX_HOURS
  return { secret, ...(await store.putNextSecret(tx, { projectId, sealed, preparedBy, hours })) }
}

/** Null if no valid secret is prepared. */
export async function promoteSecret(deps: SecretDeps, tx: Tx, projectId: string): Promise<string | null> {
  const sealed = await store.takeNextSecret(tx, projectId)
  if (!sealed) return null
  const secret = open(deps, projectId, sealed)
  await replaceWith(deps, tx, { projectId, mode: 'live', secret })
  return secret
}

/** True if there was a secret that could still be promoted. */
export async function discardNextSecret(tx: Tx, projectId: string): Promise<boolean> {
  return (await store.takeNextSecret(tx, projectId)) !== null
}

const BATCH_SIZE = 100

export async function rekeyNextSecrets(deps: SecretDeps & { db: Db }): Promise<number> {
  let changed = 0
  let after = ''
  for (;;) {
    const pageStart = after
    const rows = await deps.db.transaction(async (tx) => {
      const found = await store.lockNextSecretsToReseal(tx, pageStart, BATCH_SIZE)
      for (const { projectId, sealed } of found) {
        if (deps.secretBox.isCurrent(sealed)) continue
        await store.resealNextSecret(tx, projectId, seal(deps, projectId, open(deps, projectId, sealed)))
        changed += 1
      }
      return found
    })
    const last = rows.at(-1)
    if (!last) return changed
    after = last.projectId
  }
}
