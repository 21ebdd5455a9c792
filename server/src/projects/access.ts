// Access to a project: membership is checked first (404), then the role (403).
import { roleMay } from '@pazar/contract'
import type { Permission } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Project } from './project.ts'
import { findProject, findProjectForChange, lockProjectShared } from './projects-store.ts'

export async function requireProject(
  db: Queryable,
  accountId: AccountId,
  id: string,
  permission: Permission,
): Promise<Project> {
  return requireRole(await findProject(db, accountId, id), permission)
}

/** Like `requireProject`, but also locks the project until the transaction ends. */
export async function requireProjectForChange(
  tx: Tx,
  accountId: AccountId,
  id: string,
  permission: Permission,
): Promise<Project> {
  return requireRole(await findProjectForChange(tx, accountId, id), permission)
}

/** Like `requireProject`. Until the transaction ends, changes of the project and of its members wait; payments do not. */
export async function requireProjectUntilCommit(
  tx: Tx,
  accountId: AccountId,
  id: string,
  permission: Permission,
): Promise<Project> {
  await lockProjectShared(tx, id)
  return requireProject(tx, accountId, id, permission)
}

/** Called while a long response is being sent, because the person may have lost access since the response began. */
export async function requireStillAllowed(
  db: Queryable,
  { accountId, isStillAllowed }: { accountId: AccountId; isStillAllowed: () => Promise<boolean> },
  id: string,
  permission: Permission,
): Promise<void> {
  if (!(await isStillAllowed())) throw new ServiceError('unauthenticated')
  await requireProject(db, accountId, id, permission)
}

export function requireRole(project: Project | null, permission: Permission): Project {
  if (!project) throw new ServiceError('not_found')
  if (!roleMay(project.role, permission)) throw new ServiceError('forbidden_role')
  return project
}
