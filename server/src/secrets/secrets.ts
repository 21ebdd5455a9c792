// Signing secrets: issued and replaced here, sealed before they touch the database, opened only where something is
// signed, checked or shown. The sealed form is read for every use, so a rotation holds at once everywhere; what was
// opened before is remembered by exactly those bytes.
import type { Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { createMemo } from '../lib/memoize.ts'
import type { SealBox } from '../lib/seal.ts'
import { issueSecret } from './issue.ts'
import type { SealedSecret } from './secrets-store.ts'
import { findSealedSecret, insertSecret, lockSecretVersion, replaceSecret } from './secrets-store.ts'

export interface SecretDeps {
  secretBox: SealBox
}

/** Bound into the seal: a ciphertext copied to another project, mode or version does not open. */
function sealContext(projectId: string, mode: Mode, version: number): string {
  return `project-secret/${projectId}/${mode}/${version}`
}

export function sealSecret(
  deps: SecretDeps,
  projectId: string,
  mode: Mode,
  version: number,
  plain: string,
): Buffer {
  return deps.secretBox.seal(Buffer.from(plain), sealContext(projectId, mode, version))
}

export function openSecret(deps: SecretDeps, projectId: string, mode: Mode, from: SealedSecret): string {
  const plain = deps.secretBox.open(from.sealed, sealContext(projectId, mode, from.version))
  if (!plain)
    throw new Error(`the ${mode} secret of project ${projectId} does not open under the configured keys`)
  return plain.toString('utf8')
}

/** Shops that are paid at one time on one replica; a secret is 50 bytes. */
const OPENED_MAX = 2_000
/** By box: one process may hold several with different keys, and none may open what another did. */
const openedBy = new WeakMap<SealBox, (key: string, open: () => string) => string>()

/**
 * The same, remembered by exactly the bytes just read. Not for the status check, which has to do the same work for a
 * project that is there and for one that is not.
 */
export function recallSecret(deps: SecretDeps, projectId: string, mode: Mode, from: SealedSecret): string {
  const recall = openedBy.get(deps.secretBox) ?? createMemo<string>(OPENED_MAX)
  openedBy.set(deps.secretBox, recall)
  const key = sealContext(projectId, mode, from.version) + from.sealed.toString('latin1')
  return recall(key, () => openSecret(deps, projectId, mode, from))
}

export async function issueSecrets(deps: SecretDeps, tx: Tx, projectId: string): Promise<void> {
  for (const mode of ['live', 'test'] as const) {
    await insertSecret(tx, projectId, mode, sealSecret(deps, projectId, mode, 1, issueSecret(mode)))
  }
}

export async function readSecret(
  deps: SecretDeps,
  db: Queryable,
  projectId: string,
  mode: Mode,
): Promise<string> {
  const sealed = await findSealedSecret(db, projectId, mode)
  if (!sealed) throw new Error(`project ${projectId} has no ${mode} secret`)
  return openSecret(deps, projectId, mode, sealed)
}

/** The old secret is gone for every replica the moment this transaction commits. */
export async function rotateSecret(deps: SecretDeps, tx: Tx, projectId: string, mode: Mode): Promise<string> {
  const version = (await lockSecretVersion(tx, projectId, mode)) + 1
  const secret = issueSecret(mode)
  const sealed = sealSecret(deps, projectId, mode, version, secret)
  await replaceSecret(tx, projectId, mode, { sealed, version })
  return secret
}
