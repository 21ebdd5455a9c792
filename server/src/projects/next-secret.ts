// Prepares the next live secret of a project, shows whether a secret is prepared, and discards the prepared secret. A
// rotation can make the prepared secret the live secret.
import { byAccount, recordAudit } from '../accounts/audit.ts'
import type { Caller } from '../accounts/sessions.ts'
import { discardNextSecret, prepareSecret } from '../secrets/next-secret.ts'
import { findNextSecret } from '../secrets/next-secrets-store.ts'
import type { NextSecret } from '../secrets/next-secrets-store.ts'
import { requireProject, requireProjectForChange } from './access.ts'
import type { ProjectDeps } from './deps.ts'
import { notifyPeople } from './notify-people.ts'
import { requireVerified } from './project-secrets.ts'

export async function prepareNextSecret(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  requireStepUp: () => void,
): Promise<NextSecret & { secret: string }> {
  const current = await requireProject(deps.db, caller.account.id, id, 'live_secret')
  requireStepUp()
  requireVerified(deps, current)
  return deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, id, 'live_secret')
    const prepared = await prepareSecret(deps, tx, id, caller.account.id)
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'next_secret_prepared' })
    await notifyPeople(deps, tx, project, caller, { kind: 'secret_prepared', project: project.name })
    return prepared
  })
}

export async function showNextSecret(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
): Promise<NextSecret | null> {
  await requireProject(deps.db, caller.account.id, id, 'live_secret')
  return findNextSecret(deps.db, id)
}

/** Needs no step-up, because the discarded secret is not in use. */
export async function dropNextSecret(deps: ProjectDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await requireProjectForChange(tx, caller.account.id, id, 'live_secret')
    if (!(await discardNextSecret(tx, id))) return
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'next_secret_discarded' })
  })
}
