// Issues and rotates signing secrets, which are stored sealed. The sealed bytes are read from the database for every use,
// so a rotation takes effect on all replicas immediately.
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

/** The context of the seal. A value copied to another project, mode or version cannot be opened. */
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

export function openSecret(deps: SecretDeps, projectId: string, mode: Mode, stored: SealedSecret): string {
  const plain = deps.secretBox.open(stored.sealed, sealContext(projectId, mode, stored.version))
  if (!plain)
    throw new Error(`the ${mode} secret of project ${projectId} cannot be opened with the configured keys`)
  return plain.toString('utf8')
}

/** A secret has about 70 bytes, so even a full cache is small. */
const OPENED_MAX = 2_000
/** A process may have seal boxes with different keys, which must not share opened secrets. */
const openedBy = new WeakMap<SealBox, (key: string, open: () => string) => string>()

/**
 * The status check must not use this cache. The check must take equally long for known and unknown projects, but unknown
 * projects are never in the cache.
 */
export function openCachedSecret(
  deps: SecretDeps,
  projectId: string,
  mode: Mode,
  stored: SealedSecret,
): string {
  const memo = openedBy.get(deps.secretBox) ?? createMemo<string>(OPENED_MAX)
  openedBy.set(deps.secretBox, memo)
  const key = sealContext(projectId, mode, stored.version) + stored.sealed.toString('latin1')
  return memo(key, () => openSecret(deps, projectId, mode, stored))
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

export async function rotateSecret(deps: SecretDeps, tx: Tx, projectId: string, mode: Mode): Promise<string> {
  const secret = issueSecret(mode)
  await replaceWith(deps, tx, { projectId, mode, secret })
  return secret
}

/** Once this transaction commits, the old secret is invalid on all replicas. */
export async function replaceWith(
  deps: SecretDeps,
  tx: Tx,
  { projectId, mode, secret }: { projectId: string; mode: Mode; secret: string },
): Promise<void> {
  const version = (await lockSecretVersion(tx, projectId, mode)) + 1
  await replaceSecret(tx, projectId, mode, {
    sealed: sealSecret(deps, projectId, mode, version, secret),
    version,
  })
}
